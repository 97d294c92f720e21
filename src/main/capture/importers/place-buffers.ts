/**
 * Buffers of a description → memory of the capture, and expectations about them.
 * Order: buffers with an address first, so that the others are placed around them.
 */
import { type Diagnostic, formatDiagnostic } from '../../base/diagnostics.ts';
import { ADDRESS_LIMIT, type GuestAddress } from '../../base/guest-address.ts';
import { READ, WRITE } from '../../base/guest-memory.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { addressFromFile } from '../format/field-reader.ts';
import { MAX_PAYLOAD_BYTES } from '../format/layout.ts';
import type { CaptureBuilder } from './capture-builder.ts';
import {
  type BufferSpec,
  type DataSpec,
  type ExpectedSpec,
  type ParsedSpec,
  parseU64,
  specProblem,
} from './dispatch-spec.ts';
import { type FileResolver, MAX_BUFFER_BYTES, PLACE } from './imported.ts';
import type { JsonPath } from './json-places.ts';

export interface PlacedBuffer {
  readonly address: GuestAddress;
  readonly sizeBytes: number;
}

interface SpecWithBuffers {
  readonly buffers?: Readonly<Record<string, BufferSpec>> | undefined;
  readonly expected?: readonly ExpectedSpec[] | undefined;
}

const NO_FILES: FileResolver = () => fail([]);

/** The bytes that a description stands for; `undefined` for zeros of any size, `fill` needs the size. */
export function dataBytes(
  data: DataSpec,
  sizeBytes: number,
  resolve: FileResolver = NO_FILES,
): Result<Uint8Array, string> {
  if (data === 'zero') return ok(new Uint8Array(0));
  if ('words' in data) return ok(new Uint8Array(Uint32Array.from(data.words).buffer));
  if ('floats' in data) return ok(new Uint8Array(Float32Array.from(data.floats).buffer));
  if ('doubles' in data) return ok(new Uint8Array(Float64Array.from(data.doubles).buffer));
  if ('bytes' in data) return ok(hexBytes(data.bytes));
  if ('fill' in data) {
    if (sizeBytes > MAX_PAYLOAD_BYTES)
      return fail(`"fill" of ${sizeBytes} bytes is above the limit of ${MAX_PAYLOAD_BYTES}`);
    const words = new Uint32Array(Math.ceil(sizeBytes / 4)).fill(data.fill);
    return ok(new Uint8Array(words.buffer, 0, sizeBytes));
  }
  const file = resolve(data.file);
  if (file.ok) return file;
  const reason = file.error.map(formatDiagnostic).join('; ');
  return fail(`file "${data.file}" cannot be used${reason ? `: ${reason}` : ' here'}`);
}

export function hexBytes(text: string): Uint8Array {
  const digits = text.replace(/\s+/g, '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

export function placeBuffers(
  builder: CaptureBuilder,
  parsed: ParsedSpec<SpecWithBuffers>,
  resolve: FileResolver | undefined,
): Result<ReadonlyMap<string, PlacedBuffer>> {
  const placed = new Map<string, PlacedBuffer>();
  const problems: Diagnostic[] = [];
  const entries = Object.entries(parsed.spec.buffers ?? {});
  const fixedFirst = entries
    .filter(([, b]) => b.address !== undefined)
    .concat(entries.filter(([, b]) => b.address === undefined));
  for (const [name, buffer] of fixedFirst) {
    const path = ['buffers', name];
    const result = placeBuffer(builder, buffer, resolve);
    if (result.ok) placed.set(name, result.value);
    else problems.push(specProblem(parsed.document, path, `buffer "${name}": ${result.error}`));
  }
  return problems.length > 0 ? fail(problems) : ok(placed);
}

function placeBuffer(
  builder: CaptureBuilder,
  buffer: BufferSpec,
  resolve: FileResolver | undefined,
): Result<PlacedBuffer, string> {
  const init = buffer.init ?? 'zero';
  const needsSize = init === 'zero' || 'fill' in init;
  if (needsSize && buffer.size === undefined) return fail('"size" is needed when "init" does not give it');
  const data = dataBytes(init, buffer.size ?? 0, resolve);
  if (!data.ok) return data;
  const sizeBytes = buffer.size ?? data.value.length;
  if (data.value.length > sizeBytes) return fail(`"init" has ${data.value.length} bytes, "size" is ${sizeBytes}`);
  if (sizeBytes === 0 || sizeBytes > MAX_BUFFER_BYTES) return fail(`size of ${sizeBytes} bytes`);
  const permissions = buffer.access === 'read' ? READ : READ | WRITE;
  let address: GuestAddress;
  if (buffer.address === undefined) address = builder.allocate(PLACE.buffers as GuestAddress, sizeBytes, permissions);
  else {
    const fixed = freeAddress(builder, buffer.address, sizeBytes);
    if (!fixed.ok) return fixed;
    address = fixed.value;
    builder.map(address, sizeBytes, permissions);
  }
  if (data.value.length > 0) builder.write(address, data.value);
  return ok({ address, sizeBytes });
}

/** An address of a description, checked: 48 bits (or sign-extended), and nothing there yet. */
export function freeAddress(
  builder: CaptureBuilder,
  value: number | string,
  sizeBytes: number,
): Result<GuestAddress, string> {
  const wide = parseU64(value);
  const address = addressFromFile(Number(wide & 0xffffffffn), Number(BigInt.asUintN(64, wide) >> 32n));
  if (address === undefined || wide >= 1n << 64n) return fail(`address ${value} does not fit in 48 bits`);
  if (address + sizeBytes > ADDRESS_LIMIT) return fail('passes the end of the 48-bit address space');
  if (!builder.isFree(address, sizeBytes)) return fail('overlaps memory that is in use');
  return ok(address);
}

/** Expectations of dispatch `event`. */
export function placeExpectations(
  builder: CaptureBuilder,
  parsed: ParsedSpec<SpecWithBuffers>,
  buffers: ReadonlyMap<string, PlacedBuffer>,
  resolve: FileResolver | undefined,
  event: number,
): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const report = (path: JsonPath, message: string) => problems.push(specProblem(parsed.document, path, message));
  (parsed.spec.expected ?? []).forEach((entry, index) => {
    const path = ['expected', index];
    if ('refused' in entry) {
      const backend = entry.backend === undefined ? {} : { backend: entry.backend };
      builder.expect({ kind: 'refused', event, ...backend, code: entry.refused, reason: entry.reason });
      return;
    }
    const buffer = buffers.get(entry.buffer);
    if (!buffer) {
      report([...path, 'buffer'], `expected: there is no buffer "${entry.buffer}"`);
      return;
    }
    const offset = entry.offset ?? 0;
    const room = buffer.sizeBytes - offset;
    const data = dataBytes(entry.holds, entry.size ?? Math.max(0, room), resolve);
    if (!data.ok) {
      report([...path, 'holds'], `expected: ${data.error}`);
      return;
    }
    const sizeBytes = entry.size ?? (entry.holds === 'zero' ? room : data.value.length);
    if (sizeBytes <= 0 || sizeBytes > room || data.value.length > sizeBytes) {
      report(
        path,
        `expected: ${sizeBytes} bytes at offset ${offset} do not fit buffer "${entry.buffer}" of ${buffer.sizeBytes}`,
      );
      return;
    }
    if (sizeBytes > MAX_PAYLOAD_BYTES) {
      report(path, `expected: ${sizeBytes} bytes are above the limit of ${MAX_PAYLOAD_BYTES}`);
      return;
    }
    const exceptions = entry.exceptions ?? [];
    const outside = exceptions.findIndex((e) => (e.firstWord + e.words) * 4 > sizeBytes);
    if (outside >= 0) {
      report([...path, 'exceptions', outside], 'expected: the exception passes the end of the expected bytes');
      return;
    }
    const bytes = new Uint8Array(sizeBytes);
    bytes.set(data.value);
    const address = (buffer.address + offset) as GuestAddress;
    builder.expect({ kind: 'memory', event, address, bytes, source: entry.source, exceptions });
  });
  return problems;
}
