/**
 * The kernel argument segment: explicit arguments from the description, hidden ones from the dispatch.
 *
 * Source: LLVM, "User Guide for AMDGPU Backend", code object metadata: `.value_kind` of v4 and v5.
 */
import { type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { Vec3 } from '../../base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../base/guest-address.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Kernel, KernelArgument } from './code-object.ts';
import { type ArgumentSpec, type CodeObjectSpec, type ParsedSpec, parseU64, specProblem } from './dispatch-spec.ts';
import { APERTURE_HIGH, assumed } from './imported.ts';
import { hexBytes, type PlacedBuffer } from './place-buffers.ts';

export interface KernargInput {
  readonly kernel: Kernel;
  readonly parsed: ParsedSpec<CodeObjectSpec>;
  readonly buffers: ReadonlyMap<string, PlacedBuffer>;
  readonly threads: Vec3;
  readonly workItems: Vec3;
  readonly queueAddress: GuestAddress;
}

export interface Kernarg {
  readonly bytes: Uint8Array;
  /** LDS of the kernel and of its dynamic arguments. */
  readonly ldsBytes: number;
  readonly notes: readonly Diagnostic[];
}

export function buildKernarg(input: KernargInput): Result<Kernarg> {
  const { kernel, parsed } = input;
  const explicit = kernel.arguments.filter((argument) => !argument.kind.startsWith('hidden_'));
  const hidden = kernel.arguments.filter((argument) => argument.kind.startsWith('hidden_'));
  const given = parsed.spec.arguments ?? [];
  const path = parsed.spec.arguments ? ['arguments'] : [];
  if (given.length !== explicit.length) {
    const wanted = explicit.map((argument) => `${argument.name}: ${argument.kind}`).join(', ');
    const text = `kernel "${kernel.name}" takes ${explicit.length} arguments (${wanted}), ${given.length} are given`;
    return fail([specProblem(parsed.document, path, text, 'CAP107')]);
  }
  const bytes = new Uint8Array(kernel.kernargBytes);
  const problems: Diagnostic[] = [];
  const notes: Diagnostic[] = [];
  let ldsBytes = kernel.descriptor.ldsBytes;
  const put = (argument: KernelArgument, value: Uint8Array): string | undefined => {
    if (argument.offset + value.length > bytes.length) return 'lies outside the kernel argument segment';
    bytes.set(value, argument.offset);
    return undefined;
  };
  explicit.forEach((argument, index) => {
    const spec = given[index]!;
    let problem: string | undefined;
    if (argument.kind === 'dynamic_shared_pointer') {
      if ('lds' in spec) {
        ldsBytes = Math.ceil(ldsBytes / 16) * 16;
        problem = put(argument, littleEndian(BigInt(ldsBytes), 4));
        ldsBytes += spec.lds;
      } else problem = 'is LDS: expected {"lds": bytes}';
    } else if (argument.kind !== 'global_buffer' && argument.kind !== 'by_value') {
      const text = `argument ${argument.name} of kind ${argument.kind} is not supported`;
      problems.push({ ...specProblem(parsed.document, ['arguments', index], text, 'CAP106'), kind: 'unsupported' });
    } else {
      const value = argumentBytes(argument, spec, input.buffers);
      problem = value.ok ? put(argument, value.value) : value.error;
    }
    if (problem)
      problems.push(
        specProblem(parsed.document, ['arguments', index], `argument ${argument.name} ${problem}`, 'CAP107'),
      );
  });
  const zeroed: string[] = [];
  for (const argument of hidden) {
    const value = hiddenValue(argument.kind, input, ldsBytes - kernel.descriptor.ldsBytes);
    if (value === undefined) zeroed.push(argument.kind);
    const problem = put(argument, littleEndian(value ?? 0n, argument.size));
    if (problem) problems.push(diagnostic('CAP104', 'badInput', `argument ${argument.kind} ${problem}`));
  }
  if (ldsBytes > 65536) {
    problems.push(specProblem(parsed.document, path, `${ldsBytes} bytes of LDS, a group has at most 65536`, 'CAP108'));
  }
  if (zeroed.length > 0) notes.push(assumed(`no runtime services: ${zeroed.join(', ')} are 0`));
  return problems.length > 0 ? fail(problems) : ok({ bytes, ldsBytes, notes });
}

function argumentBytes(
  argument: KernelArgument,
  spec: ArgumentSpec,
  buffers: ReadonlyMap<string, PlacedBuffer>,
): Result<Uint8Array, string> {
  const value = scalarBytes(spec, buffers);
  if (!value.ok) return value;
  if (argument.kind === 'global_buffer' && !('buffer' in spec) && !('u64' in spec)) {
    return fail('is a pointer: expected {"buffer"} or {"u64"}');
  }
  if (value.value.length === argument.size) return value;
  return fail(`has ${argument.size} bytes, ${value.value.length} are given`);
}

function scalarBytes(spec: ArgumentSpec, buffers: ReadonlyMap<string, PlacedBuffer>): Result<Uint8Array, string> {
  if ('buffer' in spec) {
    const buffer = buffers.get(spec.buffer);
    if (!buffer) return fail(`names buffer "${spec.buffer}", which is not described`);
    return ok(addressBytes((buffer.address + (spec.offset ?? 0)) as GuestAddress));
  }
  if ('u32' in spec) return ok(littleEndian(BigInt(spec.u32), 4));
  if ('i32' in spec) return ok(littleEndian(BigInt(spec.i32), 4));
  if ('u64' in spec) {
    const value = parseU64(spec.u64);
    return value < 1n << 64n ? ok(littleEndian(value, 8)) : fail('is above 2^64');
  }
  if ('f32' in spec) return ok(new Uint8Array(Float32Array.of(spec.f32).buffer));
  if ('f64' in spec) return ok(new Uint8Array(Float64Array.of(spec.f64).buffer));
  if ('bytes' in spec) return ok(hexBytes(spec.bytes));
  return fail('is no LDS pointer');
}

/** 64-bit form of an address as guest code holds it. */
export function addressBytes(address: GuestAddress): Uint8Array {
  return new Uint8Array(Uint32Array.of(addressLow32(address), addressHigh32(address)).buffer);
}

function littleEndian(value: bigint, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let rest = BigInt.asUintN(64, value);
  for (let i = 0; i < size; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return bytes;
}

/** Undefined for what only a runtime can give. */
function hiddenValue(kind: string, input: KernargInput, dynamicLds: number): bigint | undefined {
  const { threads, workItems } = input;
  const axis = 'xyz'.indexOf(kind.at(-1)!);
  switch (kind.replace(/_[xyz]$/, '')) {
    case 'hidden_none':
    case 'hidden_global_offset':
      return 0n;
    // Full groups only; a partial last group shows in the remainder.
    case 'hidden_block_count':
      return BigInt(Math.floor(workItems[axis]! / threads[axis]!));
    case 'hidden_group_size':
      return BigInt(threads[axis]!);
    case 'hidden_remainder':
      return BigInt(workItems[axis]! % threads[axis]!);
    case 'hidden_grid_dims':
      return workItems[2] > 1 ? 3n : workItems[1] > 1 ? 2n : 1n;
    case 'hidden_private_base':
      return BigInt(APERTURE_HIGH.private);
    case 'hidden_shared_base':
      return BigInt(APERTURE_HIGH.shared);
    case 'hidden_queue_ptr':
      return BigInt(input.queueAddress);
    case 'hidden_dynamic_lds_size':
      return BigInt(dynamicLds);
    default:
      return undefined;
  }
}
