/**
 * AMD code object + kernel + description of a dispatch → capture: what a runtime's loader and the command processor's
 * packet would do, written down as registers, memory and PM4.
 *
 * User SGPRs in the order of the descriptor's property bits: 0 scratch V#, 1 dispatch packet, 2 queue, 3 kernel
 * arguments, 4 dispatch id, 5 flat scratch, 6 private segment size.
 * Source: LLVM, "User Guide for AMDGPU Backend": kernel descriptor, initial kernel execution state, kernel prologue.
 */
import { type Diagnostic, diagnostic } from '../../base/diagnostics.ts';
import type { Vec3 } from '../../base/dispatch.ts';
import { addressHigh32, addressLow32, type GuestAddress } from '../../base/guest-address.ts';
import { READ } from '../../base/guest-memory.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { CaptureBuilder } from './capture-builder.ts';
import { type CodeObject, findKernel, type Kernel, readCodeObject } from './code-object.ts';
import { scratchDescriptor } from './descriptors.ts';
import {
  CODE_OBJECT_SPEC,
  type CodeObjectSpec,
  dispatchSizeOf,
  type ParsedSpec,
  parseSpec,
  specProblem,
} from './dispatch-spec.ts';
import { RELOCATION, relocated } from './elf-object.ts';
import { APERTURE_HIGH, assumed, type FileResolver, IMPORT_PRODUCER, type Imported, PLACE } from './imported.ts';
import { addressBytes, buildKernarg, type Kernarg } from './kernarg.ts';
import { type PlacedBuffer, placeBuffers, placeExpectations } from './place-buffers.ts';
import { type ComputeState, type DispatchSize, Pm4Stream } from './pm4-builder.ts';
import { allocateScratch, type ScratchArea, waveCount } from './scratch-area.ts';

export interface CodeObjectInput {
  readonly elf: Uint8Array;
  readonly elfName?: string;
  /** JSON text; see docs/importing.md. */
  readonly spec: string;
  readonly specName?: string;
  /** For `{"file"}` entries; without it they are refused. */
  readonly resolveFile?: FileResolver;
}

/** Private memory of one lane when the description gives none: metadata does not count what called functions use. */
const DEFAULT_SCRATCH_PER_LANE = 4096;

const PROPERTY = {
  scratch: 1,
  dispatchPacket: 2,
  queue: 4,
  kernarg: 8,
  dispatchId: 16,
  flatScratch: 32,
  privateSize: 64,
};

export function importCodeObject(input: CodeObjectInput): Result<Imported> {
  const parsed = parseSpec<CodeObjectSpec>(CODE_OBJECT_SPEC, input.spec, input.specName);
  if (!parsed.ok) return parsed;
  const object = readCodeObject(input.elf, input.elfName);
  if (!object.ok) return object;
  const kernel = findKernel(object.value, parsed.value.spec.kernel, input.elfName);
  if (!kernel.ok) {
    const where = parsed.value.document.placeOf(['kernel']);
    return fail(kernel.error.map((d) => (d.code === 'CAP105' ? { ...d, where } : d)));
  }
  const size = dispatchSizeOf(parsed.value);
  if (!size.ok) return size;
  return new CodeObjectImport(input, parsed.value, object.value, kernel.value, size.value).run();
}

class CodeObjectImport {
  private readonly notes: Diagnostic[] = [];
  private readonly builder: CaptureBuilder;
  private readonly input: CodeObjectInput;
  private readonly parsed: ParsedSpec<CodeObjectSpec>;
  private readonly object: CodeObject;
  private readonly kernel: Kernel;
  private readonly size: DispatchSize;

  constructor(
    input: CodeObjectInput,
    parsed: ParsedSpec<CodeObjectSpec>,
    object: CodeObject,
    kernel: Kernel,
    size: DispatchSize,
  ) {
    this.input = input;
    this.parsed = parsed;
    this.object = object;
    this.kernel = kernel;
    this.size = size;
    const title = parsed.spec.title ?? kernel.name;
    this.builder = new CaptureBuilder({ target: object.target, producer: IMPORT_PRODUCER, title });
  }

  run(): Result<Imported> {
    const { builder, kernel, parsed, size } = this;
    const problems = [...this.checkThreads(), ...this.loadImage()];
    if (problems.length > 0) return fail(problems);
    const buffers = placeBuffers(builder, parsed, this.input.resolveFile);
    if (!buffers.ok) return buffers;
    const addressProblems = this.writeFunctionAddresses(buffers.value);
    if (addressProblems.length > 0) return fail(addressProblems);

    const threads = parsed.spec.threads;
    const workItems =
      size.kind === 'workItems'
        ? size.workItems
        : (size.groups.map((count, i) => count * threads[i]!) as unknown as Vec3);
    const queueAddress = this.placeQueue();
    const kernarg = buildKernarg({ kernel, parsed, buffers: buffers.value, threads, workItems, queueAddress });
    if (!kernarg.ok) return kernarg;
    this.notes.push(...kernarg.value.notes);
    const state = this.computeState(kernarg.value, workItems, queueAddress);
    if (!state.ok) return state;
    const stream = new Pm4Stream().pushMarker(kernel.name).setComputeState(state.value).dispatch(state.value, size);
    builder.submitStream(stream.popMarker(), PLACE.commands as GuestAddress);
    const expectationProblems = placeExpectations(builder, parsed, buffers.value, this.input.resolveFile, 0);
    if (expectationProblems.length > 0) return fail(expectationProblems);
    this.describeCode(state.value.programAddress);
    return ok({ builder, diagnostics: this.notes });
  }

  private checkThreads(): Diagnostic[] {
    const { kernel, parsed } = this;
    const threads = parsed.spec.threads;
    const required = kernel.requiredThreads;
    if (required?.some((count, axis) => count !== threads[axis])) {
      return [
        specProblem(
          parsed.document,
          ['threads'],
          `kernel "${kernel.name}" requires [${required.join(', ')}]`,
          'CAP108',
        ),
      ];
    }
    const total = threads[0] * threads[1] * threads[2];
    if (kernel.maxThreads !== undefined && total > kernel.maxThreads) {
      const text = `kernel "${kernel.name}" is compiled for groups of at most ${kernel.maxThreads} threads, not ${total}`;
      return [specProblem(parsed.document, ['threads'], text, 'CAP108')];
    }
    return [];
  }

  private loadImage(): Diagnostic[] {
    const { builder, object } = this;
    if (object.processor !== object.target) {
      this.notes.push(assumed(`${object.target} stands for ${object.processor}`));
    }
    for (const segment of object.elf.segments) {
      if (segment.memSize === 0) continue;
      const address = (PLACE.code + segment.address) as GuestAddress;
      builder.map(address, segment.memSize, segment.permissions);
      builder.write(address, segment.bytes);
    }
    return this.relocate();
  }

  private relocate(): Diagnostic[] {
    const problems: Diagnostic[] = [];
    for (const entry of this.object.elf.relocations) {
      if (entry.type === RELOCATION.none) continue;
      const where = {
        kind: 'file',
        offset: entry.fileOffset,
        ...(this.input.elfName ? { file: this.input.elfName } : {}),
      } as const;
      const symbol = this.object.elf.symbols.get(entry.symbolTable)?.[entry.symbol];
      const place = PLACE.code + entry.offset;
      const base = entry.type === RELOCATION.relative64 ? PLACE.code : PLACE.code + (symbol?.value ?? 0);
      const type = entry.type === RELOCATION.relative64 ? RELOCATION.abs64 : entry.type;
      const bytes = relocated(type, base, entry.addend ?? 0, place);
      if (!bytes || entry.addend === undefined || (entry.type !== RELOCATION.relative64 && !symbol?.section)) {
        const name = symbol?.name ? ` against "${symbol.name}"` : '';
        problems.push(
          diagnostic('CAP106', 'unsupported', `relocation type ${entry.type}${name} is not supported`, where),
        );
      } else if (!this.builder.isMapped(place as GuestAddress, bytes.length)) {
        problems.push(diagnostic('CAP104', 'badInput', 'relocation outside the image', where));
      } else this.builder.write(place as GuestAddress, bytes);
    }
    return problems;
  }

  private writeFunctionAddresses(buffers: ReadonlyMap<string, PlacedBuffer>): Diagnostic[] {
    const problems: Diagnostic[] = [];
    const report = (index: number, key: string, text: string): void => {
      problems.push(specProblem(this.parsed.document, ['symbols', index, key], `symbols: ${text}`));
    };
    (this.parsed.spec.symbols ?? []).forEach(({ buffer: name, offset = 0, functionAddresses }, index) => {
      const buffer = buffers.get(name);
      if (!buffer) return report(index, 'buffer', `there is no buffer "${name}"`);
      if (offset + functionAddresses.length * 8 > buffer.sizeBytes) {
        return report(index, 'functionAddresses', `${functionAddresses.length} addresses do not fit buffer "${name}"`);
      }
      functionAddresses.forEach((symbol, i) => {
        const value = this.object.functions.get(symbol);
        if (value === undefined) report(index, 'functionAddresses', `there is no function "${symbol}"`);
        else {
          const place = (buffer.address + offset + 8 * i) as GuestAddress;
          this.builder.write(place, addressBytes((PLACE.code + value) as GuestAddress));
        }
      });
    });
    return problems;
  }

  /** As much of the queue's descriptor as compiled code reads: the apertures. */
  private placeQueue(): GuestAddress {
    const needed =
      (this.kernel.descriptor.properties & PROPERTY.queue) !== 0 ||
      this.kernel.arguments.some((argument) => argument.kind === 'hidden_queue_ptr');
    if (!needed) return 0 as GuestAddress;
    const address = this.builder.allocate(PLACE.queue as GuestAddress, 4096, READ);
    this.builder.writeWords((address + 0x40) as GuestAddress, [APERTURE_HIGH.shared, APERTURE_HIGH.private]);
    this.notes.push(assumed('a queue that holds nothing but the LDS and scratch apertures'));
    return address;
  }

  private computeState(kernarg: Kernarg, workItems: Vec3, queueAddress: GuestAddress): Result<ComputeState> {
    const { kernel, object } = this;
    const { descriptor } = kernel;
    const programAddress = PLACE.code + kernel.descriptorAddress + descriptor.entryOffset;
    if (programAddress % 256 !== 0 || !this.builder.isMapped(programAddress as GuestAddress, 4)) {
      const text = `entry of kernel "${kernel.name}" is not a 256-byte aligned address in its image`;
      return fail([diagnostic('CAP104', 'badInput', text)]);
    }
    const scratch = this.scratchArea();
    if (!scratch.ok) return scratch;
    const kernargAddress = this.placeBytes(PLACE.kernarg, kernarg.bytes);
    const userData = this.userData(kernarg, workItems, scratch.value, kernargAddress, queueAddress);
    const announced = (descriptor.rsrc2 >>> 1) & 31;
    if (userData.length !== announced) {
      const text = `kernel "${kernel.name}" announces ${announced} user SGPRs, its properties ask for ${userData.length}`;
      return fail([diagnostic('CAP106', 'unsupported', text)]);
    }
    return ok({
      target: object.target,
      waveSize: kernel.waveSize,
      programAddress: programAddress as GuestAddress,
      rsrc1: descriptor.rsrc1,
      // LDS_SIZE (23:15) counts 512 bytes; the loader fills it in.
      rsrc2: (descriptor.rsrc2 & ~(0x1ff << 15)) | (Math.ceil(kernarg.ldsBytes / 512) << 15),
      rsrc3: descriptor.rsrc3,
      threads: this.parsed.spec.threads,
      userData,
      ...(scratch.value ? { scratch: scratch.value } : {}),
    });
  }

  private scratchArea(): Result<ScratchArea | undefined> {
    const { kernel, object, parsed, size } = this;
    if ((kernel.descriptor.rsrc2 & 1) === 0) return ok(undefined);
    const asked = parsed.spec.scratchBytesPerLane;
    const perLane = Math.max(kernel.privateBytes, asked ?? DEFAULT_SCRATCH_PER_LANE);
    if (asked === undefined) this.notes.push(assumed(`${perLane} bytes of scratch per lane ("scratchBytesPerLane")`));
    const waves = waveCount(size, parsed.spec.threads, kernel.waveSize);
    const area = allocateScratch(this.builder, object.target, kernel.waveSize, waves, perLane);
    return area.ok ? area : fail([specProblem(parsed.document, ['scratchBytesPerLane'], area.error, 'CAP108')]);
  }

  private userData(
    kernarg: Kernarg,
    workItems: Vec3,
    scratch: ScratchArea | undefined,
    kernargAddress: GuestAddress,
    queueAddress: GuestAddress,
  ): number[] {
    const { kernel, object } = this;
    const properties = kernel.descriptor.properties;
    const words: number[] = [];
    const pointer = (address: GuestAddress) => words.push(addressLow32(address), addressHigh32(address));
    if (properties & PROPERTY.scratch) {
      const base = scratch?.address ?? (0 as GuestAddress);
      words.push(...scratchDescriptor(object.target, kernel.waveSize, base));
    }
    if (properties & PROPERTY.dispatchPacket) {
      pointer(this.placeBytes(PLACE.dispatchPacket, this.dispatchPacket(kernarg, workItems, scratch, kernargAddress)));
    }
    if (properties & PROPERTY.queue) pointer(queueAddress);
    if (properties & PROPERTY.kernarg) pointer(kernargAddress);
    if (properties & PROPERTY.dispatchId) words.push(0, 0);
    if (properties & PROPERTY.flatScratch) {
      // gfx10: base address. gfx7: offset from the hidden base (0 here), then bytes of one lane.
      if (object.target === 'gfx700') words.push(scratch?.address ?? 0, scratch?.bytesPerLane ?? 0);
      else pointer(scratch?.address ?? (0 as GuestAddress));
    }
    if (properties & PROPERTY.privateSize) words.push(scratch?.bytesPerLane ?? kernel.privateBytes);
    return words;
  }

  /** hsa_kernel_dispatch_packet_t. */
  private dispatchPacket(
    kernarg: Kernarg,
    workItems: Vec3,
    scratch: ScratchArea | undefined,
    kernargAddress: GuestAddress,
  ): Uint8Array {
    const threads = this.parsed.spec.threads;
    const packet = new Uint8Array(64);
    const view = new DataView(packet.buffer);
    view.setUint16(0, 2, true); // type: kernel dispatch
    view.setUint16(2, workItems[2] > 1 ? 3 : workItems[1] > 1 ? 2 : 1, true);
    threads.forEach((count, axis) => view.setUint16(4 + 2 * axis, count, true));
    workItems.forEach((count, axis) => view.setUint32(12 + 4 * axis, count, true));
    view.setUint32(24, scratch?.bytesPerLane ?? this.kernel.privateBytes, true);
    view.setUint32(28, kernarg.ldsBytes, true);
    packet.set(addressBytes((PLACE.code + this.kernel.descriptorAddress) as GuestAddress), 32);
    packet.set(addressBytes(kernargAddress), 40);
    return packet;
  }

  private placeBytes(from: number, bytes: Uint8Array): GuestAddress {
    const address = this.builder.allocate(from as GuestAddress, Math.max(bytes.length, 1), READ);
    this.builder.write(address, bytes);
    return address;
  }

  private describeCode(codeAddress: GuestAddress): void {
    this.builder.shader({ codeAddress, hardwareStage: 'cs', softwareStage: 'compute', name: this.kernel.name });
    for (const [text, value] of this.object.functions) {
      this.builder.label({ address: (PLACE.code + value) as GuestAddress, text });
    }
  }
}
