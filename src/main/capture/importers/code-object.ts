/**
 * An HSA code object (v4, v5) as its loader sees it: image, kernels with descriptor and metadata, functions.
 *
 * Source: LLVM, "User Guide for AMDGPU Backend": ELF header, kernel descriptor (64 bytes), code object metadata.
 */
import { decode } from '@msgpack/msgpack';
import { z } from 'zod';
import { atFile, type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { Target, WaveSize } from '../../base/dispatch.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { ET_DYN } from '../format/layout.ts';
import { type ElfNote, type ElfObject, type ElfSegment, readElfObject, SYMBOL_TYPE } from './elf-object.ts';

export interface KernelArgument {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  /** `global_buffer`, `by_value`, `hidden_block_count_x`, … */
  readonly kind: string;
}

export interface KernelDescriptor {
  readonly ldsBytes: number;
  readonly privateBytes: number;
  readonly kernargBytes: number;
  /** From the descriptor's own address. */
  readonly entryOffset: number;
  readonly rsrc1: number;
  readonly rsrc2: number;
  readonly rsrc3: number;
  readonly properties: number;
}

export interface Kernel {
  readonly name: string;
  /** Of the descriptor in the image. */
  readonly descriptorAddress: number;
  readonly descriptor: KernelDescriptor;
  readonly waveSize: WaveSize;
  readonly arguments: readonly KernelArgument[];
  readonly kernargBytes: number;
  readonly privateBytes: number;
  readonly requiredThreads: readonly number[] | undefined;
  readonly maxThreads: number | undefined;
}

export interface CodeObject {
  readonly elf: ElfObject;
  readonly version: 4 | 5;
  readonly target: Target;
  /** The processor that the object names, when the target only stands for it. */
  readonly processor: string;
  readonly functions: ReadonlyMap<string, number>;
  readonly kernelNames: readonly string[];
}

/** EF_AMDGPU_MACH → processor, and the target whose instructions it shares. */
const PROCESSORS: Readonly<Record<number, readonly [name: string, target: Target]>> = {
  34: ['gfx700', 'gfx700'],
  35: ['gfx701', 'gfx700'],
  36: ['gfx702', 'gfx700'],
  37: ['gfx703', 'gfx700'],
  38: ['gfx704', 'gfx700'],
  59: ['gfx705', 'gfx700'],
  51: ['gfx1010', 'gfx1013'],
  52: ['gfx1011', 'gfx1013'],
  53: ['gfx1012', 'gfx1013'],
  66: ['gfx1013', 'gfx1013'],
  54: ['gfx1030', 'gfx1030'],
  55: ['gfx1031', 'gfx1030'],
  56: ['gfx1032', 'gfx1030'],
  57: ['gfx1033', 'gfx1030'],
  62: ['gfx1034', 'gfx1030'],
  61: ['gfx1035', 'gfx1030'],
  69: ['gfx1036', 'gfx1030'],
};

const OSABI_AMDGPU_HSA = 64;
const NT_AMDGPU_METADATA = 32;
const DESCRIPTOR_SIZE = 64;
const MAX_KERNARG_BYTES = 0xffff;

const METADATA = z.looseObject({
  'amdhsa.kernels': z.array(
    z.looseObject({
      '.name': z.string(),
      '.symbol': z.string(),
      '.kernarg_segment_size': z.int().min(0).max(MAX_KERNARG_BYTES),
      '.private_segment_fixed_size': z.int().min(0).max(0xffffffff),
      '.wavefront_size': z.int(),
      '.max_flat_workgroup_size': z.int().optional(),
      '.reqd_workgroup_size': z.array(z.int()).optional(),
      '.args': z
        .array(
          z.looseObject({
            '.offset': z.int().min(0).max(0xffff),
            '.size': z.int().min(0).max(0xffff),
            '.value_kind': z.string(),
            '.name': z.string().optional(),
          }),
        )
        .optional(),
    }),
  ),
});
type KernelMetadata = z.infer<typeof METADATA>['amdhsa.kernels'][number];

function problem(message: string, offset: number, file: string | undefined, code = 'CAP104'): Diagnostic {
  return diagnostic(code, code === 'CAP106' ? 'unsupported' : 'badInput', message, atFile(offset, file));
}

export function readCodeObject(bytes: Uint8Array, file?: string): Result<CodeObject> {
  const read = readElfObject(bytes, file);
  if (!read.ok) return read;
  const elf = read.value;
  if (elf.osAbi !== OSABI_AMDGPU_HSA) {
    return fail([problem(`OS ABI ${elf.osAbi} is not that of HSA code objects (${OSABI_AMDGPU_HSA})`, 7, file)]);
  }
  if (elf.abiVersion !== 2 && elf.abiVersion !== 3) {
    const text = `code object version ${elf.abiVersion + 2} is not supported; versions 4 and 5 are`;
    return fail([problem(text, 8, file, 'CAP106')]);
  }
  if (elf.type !== ET_DYN) return fail([problem('not linked: link it to a shared object first', 16, file, 'CAP106')]);
  const processor = PROCESSORS[elf.flags & 0xff];
  if (!processor) {
    const text = `processor number 0x${(elf.flags & 0xff).toString(16)} is none of the supported GPUs`;
    return fail([problem(text, 48, file, 'CAP106')]);
  }
  const functions = new Map<string, number>();
  const kernelNames: string[] = [];
  for (const symbols of elf.symbols.values()) {
    for (const { name, type, section, value } of symbols) {
      const inImage = elf.segments.some((s) => value >= s.address && value < s.address + s.memSize);
      if (type === SYMBOL_TYPE.function && section !== 0 && inImage) functions.set(name, value);
      if (type === SYMBOL_TYPE.object && name.endsWith('.kd') && !kernelNames.includes(name.slice(0, -3))) {
        kernelNames.push(name.slice(0, -3));
      }
    }
  }
  const version = elf.abiVersion === 2 ? 4 : 5;
  return ok({ elf, version, target: processor[1], processor: processor[0], functions, kernelNames });
}

/** Bytes of the image at an address, or undefined where no segment stores all of them. */
function imageBytes(segments: readonly ElfSegment[], address: number, size: number): Uint8Array | undefined {
  const segment = segments.find((s) => address >= s.address && address + size <= s.address + s.bytes.length);
  return segment?.bytes.subarray(address - segment.address, address - segment.address + size);
}

export function findKernel(object: CodeObject, name: string, file?: string): Result<Kernel> {
  const metadata = readMetadata(object.elf.notes, file);
  if (!metadata.ok) return metadata;
  const entry = metadata.value.find((kernel) => kernel['.name'] === name);
  if (!entry) {
    const known = metadata.value.map((kernel) => kernel['.name']).join(', ');
    return fail([
      diagnostic('CAP105', 'badInput', `there is no kernel "${name}"; the code object has ${known || 'none'}`),
    ]);
  }
  const symbol = [...object.elf.symbols.values()].flat().find((s) => s.name === entry['.symbol']);
  if (!symbol) return fail([problem(`symbol "${entry['.symbol']}" of the kernel is missing`, 0, file)]);
  const bytes = imageBytes(object.elf.segments, symbol.value, DESCRIPTOR_SIZE);
  if (!bytes) return fail([problem(`kernel descriptor at 0x${symbol.value.toString(16)} lies in no segment`, 0, file)]);
  const descriptor = decodeDescriptor(bytes);
  if (descriptor.kernargBytes > MAX_KERNARG_BYTES) {
    return fail([problem(`${descriptor.kernargBytes} bytes of kernel arguments`, 0, file)]);
  }
  const waveSize = descriptor.properties & (1 << 10) ? 32 : 64;
  if (entry['.wavefront_size'] !== waveSize) {
    const text = `metadata says wave${entry['.wavefront_size']}, the kernel descriptor wave${waveSize}`;
    return fail([problem(text, 0, file)]);
  }
  return ok({
    name,
    descriptorAddress: symbol.value,
    descriptor,
    waveSize,
    arguments: (entry['.args'] ?? []).map((arg, index) => ({
      name: arg['.name'] ?? `${index}`,
      offset: arg['.offset'],
      size: arg['.size'],
      kind: arg['.value_kind'],
    })),
    kernargBytes: Math.max(descriptor.kernargBytes, entry['.kernarg_segment_size']),
    privateBytes: Math.max(descriptor.privateBytes, entry['.private_segment_fixed_size']),
    requiredThreads: entry['.reqd_workgroup_size'],
    maxThreads: entry['.max_flat_workgroup_size'],
  });
}

function decodeDescriptor(bytes: Uint8Array): KernelDescriptor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    ldsBytes: view.getUint32(0, true),
    privateBytes: view.getUint32(4, true),
    kernargBytes: view.getUint32(8, true),
    entryOffset: Number(view.getBigInt64(16, true)),
    rsrc3: view.getUint32(44, true),
    rsrc1: view.getUint32(48, true),
    rsrc2: view.getUint32(52, true),
    properties: view.getUint16(56, true),
  };
}

function readMetadata(notes: readonly ElfNote[], file: string | undefined): Result<readonly KernelMetadata[]> {
  const note = notes.find((n) => n.owner === 'AMDGPU' && n.type === NT_AMDGPU_METADATA);
  if (!note) return fail([problem('no metadata note (NT_AMDGPU_METADATA)', 0, file)]);
  const limit = note.bytes.length;
  let value: unknown;
  try {
    value = decode(note.bytes, {
      maxStrLength: limit,
      maxBinLength: limit,
      maxArrayLength: limit,
      maxMapLength: limit,
    });
  } catch {
    return fail([problem('the metadata note is not valid MessagePack', note.fileOffset, file)]);
  }
  const checked = METADATA.safeParse(value);
  if (checked.success) return ok(checked.data['amdhsa.kernels']);
  const issue = checked.error.issues[0]!;
  return fail([problem(`metadata ${issue.path.map(String).join('')}: ${issue.message}`, note.fileOffset, file)]);
}
