/** Just enough PM4 for importer tests, independent of the project's decoder: SH registers, markers, DISPATCH_DIRECT. */
import type { GuestMemory } from '../../../src/main/base/guest-memory.ts';
import type { CaptureBuilder } from '../../../src/main/capture/importers/capture-builder.ts';
import { type OpenCapture, openCaptureBytes } from '../../../src/main/capture/store/open-capture.ts';

export interface SeenDispatch {
  readonly capture: OpenCapture['capture'];
  readonly memory: GuestMemory;
  /** By index in the SH space. */
  readonly sh: ReadonlyMap<number, number>;
  readonly dispatch: readonly number[];
  readonly markers: readonly number[];
}

export function seeDispatch(builder: CaptureBuilder): SeenDispatch {
  const opened = openCaptureBytes(builder.build());
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const { capture } = opened.value;
  if (capture.damage.length > 0) throw new Error(JSON.stringify(capture.damage));
  const memory = opened.value.initialMemory();
  const [submit] = capture.submits;
  const bytes = memory.readBytes(submit!.address, submit!.dwords * 4)!;
  const words = [...new Uint32Array(bytes.buffer, bytes.byteOffset, submit!.dwords)];
  const sh = new Map<number, number>();
  const markers: number[] = [];
  let dispatch: number[] = [];
  for (let at = 0; at < words.length; ) {
    const header = words[at]!;
    if (header >>> 30 !== 3 || (header & 3) !== 2) throw new Error(`header ${header.toString(16)}`);
    const count = ((header >>> 16) & 0x3fff) + 1;
    const body = words.slice(at + 1, at + 1 + count);
    const opcode = (header >>> 8) & 0xff;
    if (opcode === 0x76) body.slice(1).forEach((value, i) => sh.set(body[0]! + i, value));
    else if (opcode === 0x15) dispatch = body;
    else if (opcode === 0x10) markers.push(body[0]!);
    else throw new Error(`opcode ${opcode.toString(16)}`);
    at += 1 + count;
  }
  return { capture, memory, sh, dispatch, markers };
}

export function registers(seen: SeenDispatch, first: number, count: number): (number | undefined)[] {
  return Array.from({ length: count }, (_, i) => seen.sh.get(first + i));
}
