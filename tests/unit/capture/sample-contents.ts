/** A capture that uses every note type, for round trips and for damage. Values are arbitrary and all different. */
import { addressFromHalves, type GuestAddress } from '../../../src/main/base/guest-address.ts';
import type { CaptureContents } from '../../../src/main/capture/format/model.ts';

export function pattern(size: number, seed: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8) * 13 + seed) & 0xff);
}

export function sampleContents(): CaptureContents {
  const at = (value: number) => value as GuestAddress;
  return {
    target: 'gfx1030',
    producer: 'unit test',
    title: 'every note · ümläut',
    extra: { frame: 17 },
    segments: [
      { address: at(0x10_0000_0000), memSize: 0x3000, permissions: 5, bytes: pattern(0x1234, 1) },
      { address: at(0x20_0000_0000), memSize: 0x40_0000_0000, permissions: 6, bytes: new Uint8Array(0) },
      { address: addressFromHalves(0x1000, 0xffff8000), memSize: 0x2000, permissions: 7, bytes: pattern(0x2000, 2) },
    ],
    registers: [
      { space: 'config', index: 0x10, value: 0xdeadbeef },
      { space: 'sh', index: 0x240, value: 1 },
      { space: 'sh', index: 0x241, value: 0xffffffff },
      { space: 'uconfig', index: 0x3fff, value: 7 },
    ],
    submits: [
      { sequence: 3, queue: 'graphics', queueIndex: 0, address: at(0x10_0000_0100), dwords: 64 },
      { sequence: 9, queue: 'compute', queueIndex: 2, address: at(0x10_0000_0200), dwords: 1 },
    ],
    updates: [
      { beforeSequence: 3, address: at(0x20_0000_0123), bytes: pattern(5000, 3) },
      { beforeSequence: 9, address: at(0x20_0000_0001), bytes: new Uint8Array(100_000) },
    ],
    shaders: [
      {
        codeAddress: at(0x10_0000_0400),
        hardwareStage: 'es',
        softwareStage: 'vertex',
        headerAddress: at(0),
        fetchAddress: at(0x10_0000_0800),
        name: 'vertex 1',
      },
      { codeAddress: at(0x10_0000_0500), hardwareStage: 'cs', softwareStage: 'compute' },
    ],
    expected: [
      {
        kind: 'memory',
        event: 0,
        address: at(0x20_0000_0000),
        bytes: pattern(256, 4),
        source: 'computed by hand',
        exceptions: [
          { firstWord: 3, words: 2, type: 'f32', bound: 4, reason: 'fma is not fused' },
          { firstWord: 60, words: 4, type: 'u32', bound: 'any', reason: 'order' },
        ],
      },
      { kind: 'refused', event: 1, backend: 'webgpu', code: 'CALL003', reason: 'not readable' },
      { kind: 'refused', event: 2, code: 'CALL001', reason: '' },
    ],
    labels: [
      { address: at(0x10_0000_0400), text: 'entry' },
      { event: 1, text: 'second dispatch' },
    ],
    unknownNotes: [
      { owner: 'Somebody', type: 42, bytes: pattern(13, 5) },
      { owner: 'Lanescope', type: 0x4c53ffff, bytes: pattern(8, 6) },
    ],
  };
}
