/**
 * Frames of the WebSocket: JSON with typed arrays beside it, so that columns travel as bytes.
 *
 *   u32 length of the JSON │ JSON │ padding to 8 │ array 0 │ padding to 8 │ array 1 │ …
 *
 * In the JSON an array is `{"$array": [type, byte offset behind the header, byte length]}`. `decodeFrame` is total: a
 * frame that is damaged or lies about its sizes gives undefined.
 */
import type { Progress } from './call.ts';
import type { CallReply, NoticeName } from './index.ts';

export type ClientMessage =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly args: unknown }
  | { readonly kind: 'cancel'; readonly id: number };

export type ServerMessage =
  | { readonly kind: 'reply'; readonly id: number; readonly reply: CallReply }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'notice'; readonly name: NoticeName; readonly notice: unknown };

const ARRAY_TYPES = { u8: Uint8Array, i32: Int32Array, u32: Uint32Array, f64: Float64Array } as const;
type ArrayType = keyof typeof ARRAY_TYPES;
type TypedArray = InstanceType<(typeof ARRAY_TYPES)[ArrayType]>;

const TYPE_NAMES = Object.keys(ARRAY_TYPES) as ArrayType[];
const align = (offset: number): number => (offset + 7) & ~7;

function typeOf(value: unknown): ArrayType | undefined {
  return ArrayBuffer.isView(value) ? TYPE_NAMES.find((name) => value instanceof ARRAY_TYPES[name]) : undefined;
}

export function encodeFrame(message: unknown): Uint8Array<ArrayBuffer> {
  const arrays: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  let size = 0;
  const text = JSON.stringify(message, (_key, value: unknown) => {
    const type = typeOf(value);
    if (type === undefined) return value;
    const { buffer, byteOffset, byteLength } = value as TypedArray;
    const at = size;
    arrays.push({ at, bytes: new Uint8Array(buffer, byteOffset, byteLength) });
    size = align(size + byteLength);
    return { $array: [type, at, byteLength] };
  });
  const json = new TextEncoder().encode(text);
  const start = align(4 + json.length);
  const frame = new Uint8Array(start + size);
  new DataView(frame.buffer).setUint32(0, json.length, true);
  frame.set(json, 4);
  for (const { at, bytes } of arrays) frame.set(bytes, start + at);
  return frame;
}

export function decodeFrame(frame: Uint8Array): unknown {
  if (frame.length < 4) return undefined;
  const length = new DataView(frame.buffer, frame.byteOffset).getUint32(0, true);
  if (length > frame.length - 4) return undefined;
  const start = align(4 + length);
  let damaged = false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(frame.subarray(4, 4 + length));
    const value: unknown = JSON.parse(text, (_key, entry: unknown) => {
      const place = (entry as { $array?: unknown } | null)?.$array;
      if (place === undefined) return entry;
      const array = arrayAt(frame, start, place);
      if (array === undefined) damaged = true;
      return array;
    });
    return damaged ? undefined : value;
  } catch {
    return undefined;
  }
}

function arrayAt(frame: Uint8Array, start: number, place: unknown): TypedArray | undefined {
  if (!Array.isArray(place) || place.length !== 3) return undefined;
  const [type, at, byteLength] = place as unknown[];
  const make = ARRAY_TYPES[type as ArrayType] as (typeof ARRAY_TYPES)[ArrayType] | undefined;
  if (!make || !isSize(at) || !isSize(byteLength) || byteLength % make.BYTES_PER_ELEMENT !== 0) return undefined;
  if (start + at + byteLength > frame.length) return undefined;
  // A copy, aligned; not `slice`, which Node's Buffer makes a view of its pool.
  const bytes = new Uint8Array(byteLength);
  bytes.set(frame.subarray(start + at, start + at + byteLength));
  return new make(bytes.buffer, 0, byteLength / make.BYTES_PER_ELEMENT);
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A client's message, or undefined when it is none. */
export function asClientMessage(value: unknown): ClientMessage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, id, name, args } = value as Record<string, unknown>;
  if (!isSize(id)) return undefined;
  if (kind === 'cancel') return { kind, id };
  if (kind === 'call' && typeof name === 'string') return { kind, id, name, args };
  return undefined;
}
