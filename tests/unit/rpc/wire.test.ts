/** Frames of the WebSocket: what goes in comes out, and damaged frames give nothing. */
import { describe, expect, it } from 'vitest';
import { asClientMessage, decodeFrame, encodeFrame } from '../../../src/preload/contract/wire.ts';

const message = {
  kind: 'reply',
  id: 7,
  reply: {
    ok: true,
    value: {
      text: 'wave64 ↔ “207”',
      none: null,
      bytes: Uint8Array.of(1, 2, 3),
      words: Uint32Array.of(0xffffffff, 207),
      events: Int32Array.of(-1, 5),
      // 2^47 and a half, which no 32-bit column could hold.
      addresses: Float64Array.of(2 ** 47 + 0.5, -1),
      empty: new Uint32Array(0),
      nested: [{ column: Uint8Array.of(9) }],
    },
  },
};

describe('frames', () => {
  it('carry values and typed arrays', () => {
    expect(decodeFrame(encodeFrame(message))).toEqual(message);
  });

  it('carry views into larger buffers', () => {
    const whole = Uint32Array.of(1, 2, 3, 4);
    expect(decodeFrame(encodeFrame({ part: whole.subarray(1, 3) }))).toEqual({ part: Uint32Array.of(2, 3) });
  });

  it('are read from a Buffer inside its pool', () => {
    const pooled = Buffer.from(encodeFrame(message));
    expect(pooled.byteOffset === 0 && pooled.buffer.byteLength === pooled.length).toBe(false);
    expect(decodeFrame(pooled)).toEqual(message);
  });

  it('give nothing when they are cut', () => {
    const frame = encodeFrame(message);
    for (let length = 0; length < frame.length; length++) {
      const decoded = decodeFrame(frame.subarray(0, length));
      // Only padding behind the last array may be missing.
      if (decoded !== undefined) expect(decoded).toEqual(message);
      if (length < frame.length - 8) expect(decoded).toBeUndefined();
    }
  });

  it('give nothing when they lie about their arrays', () => {
    const lie = (array: unknown): unknown => {
      const json = new TextEncoder().encode(JSON.stringify({ a: { $array: array } }));
      const frame = new Uint8Array(4 + json.length + 64);
      new DataView(frame.buffer).setUint32(0, json.length, true);
      frame.set(json, 4);
      return decodeFrame(frame);
    };
    expect(lie(['u8', 0, 8])).toEqual({ a: new Uint8Array(8) });
    for (const array of [
      ['u8', 0, 1e9],
      ['u8', -8, 8],
      ['u32', 0, 7],
      ['f16', 0, 8],
      ['u8', 0.5, 8],
      ['u8', 0],
      'u8',
      ['toString', 0, 8],
    ]) {
      expect(lie(array)).toBeUndefined();
    }
  });

  it('give nothing for bytes that are no text', () => {
    expect(decodeFrame(Uint8Array.of(2, 0, 0, 0, 0xff, 0xfe))).toBeUndefined();
    expect(decodeFrame(new Uint8Array(0))).toBeUndefined();
    expect(decodeFrame(Uint8Array.of(0xff, 0xff, 0xff, 0xff))).toBeUndefined();
  });
});

describe('messages of a client', () => {
  it('are calls and cancellations, and nothing else', () => {
    expect(asClientMessage({ kind: 'call', id: 1, name: 'app.info', args: {} })).toBeDefined();
    expect(asClientMessage({ kind: 'cancel', id: 1 })).toEqual({ kind: 'cancel', id: 1 });
    for (const other of [
      null,
      7,
      'call',
      [],
      {},
      { kind: 'call', id: -1, name: 'x' },
      { kind: 'call', id: 1, name: 2 },
      { kind: 'reply', id: 1 },
    ]) {
      expect(asClientMessage(other)).toBeUndefined();
    }
  });
});
