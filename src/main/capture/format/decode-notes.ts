/**
 * The Lanescope notes: one decoder per type, each from the note's bytes to a piece of the model, or to the reason why
 * it cannot be used. Layouts: docs/capture-format.md, section "Notes".
 */
import { TARGETS, type Target } from '../../base/dispatch.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { FieldReader } from './field-reader.ts';
import { MAX_PAYLOAD_BYTES, NO_BOUND } from './layout.ts';
import {
  CAPTURE_FORMAT_VERSION,
  type CaptureExpectation,
  type CaptureLabel,
  type CaptureRegister,
  type CaptureShader,
  type CaptureSubmit,
  type CaptureUpdate,
  EXCEPTION_TYPES,
  EXPECTATION_BACKENDS,
  type ExpectationException,
  HARDWARE_STAGES,
  type PayloadRef,
  QUEUE_KINDS,
  REGISTER_SPACE_RANGE,
  REGISTER_SPACES,
  SOFTWARE_STAGES,
} from './model.ts';

/** What is wrong with a payload of `size` bytes at `offset`. */
export type PayloadBounds = (offset: number, size: number) => string | undefined;

export interface CaptureMeta {
  readonly version: number;
  readonly producer: string;
  readonly target: Target;
  readonly title: string;
  readonly extra: Record<string, unknown>;
}

export type MetaProblem =
  | { readonly kind: 'damaged'; readonly message: string }
  | { readonly kind: 'newer'; readonly message: string }
  | { readonly kind: 'unsupported'; readonly message: string };

export function decodeMeta(bytes: Uint8Array): Result<CaptureMeta, MetaProblem> {
  const reader = new FieldReader(bytes);
  const text = reader.text(bytes.length, 'META');
  if (reader.problem) return fail({ kind: 'damaged', message: reader.problem });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail({ kind: 'damaged', message: 'META is not JSON' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fail({ kind: 'damaged', message: 'META is not a JSON object' });
  }
  const { version, producer, target, title, ...extra } = value as Record<string, unknown>;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return fail({ kind: 'damaged', message: 'META has no format version' });
  }
  const by = typeof producer === 'string' && producer !== '' ? ` (written by ${producer.slice(0, 80)})` : '';
  if (version > CAPTURE_FORMAT_VERSION) {
    return fail({
      kind: 'newer',
      message: `the capture has format version ${version}${by}; this reader knows versions up to ${CAPTURE_FORMAT_VERSION}`,
    });
  }
  const known = TARGETS.find((t) => t === target);
  if (!known) {
    const name = typeof target === 'string' ? `'${target.slice(0, 40)}'` : 'of the capture';
    return fail({ kind: 'unsupported', message: `target ${name} is none of ${TARGETS.join(', ')}` });
  }
  return ok({
    version,
    producer: typeof producer === 'string' ? producer : '',
    target: known,
    title: typeof title === 'string' ? title : '',
    extra,
  });
}

function readPayload(reader: FieldReader, bounds: PayloadBounds): PayloadRef {
  const fileOffset = reader.u64();
  const storedSize = reader.u64();
  const size = reader.u64();
  const encoding = reader.choice(['stored', 'deflate'] as const, reader.u32(), 'payload encoding');
  const crc = reader.u32();
  if (!reader.problem) {
    const outside = bounds(fileOffset, storedSize);
    if (outside !== undefined) {
      reader.reject(`payload of ${storedSize} bytes at file offset 0x${fileOffset.toString(16)} ${outside}`);
    } else if (size > MAX_PAYLOAD_BYTES)
      reader.reject(`payload of ${size} bytes is above the limit of ${MAX_PAYLOAD_BYTES}`);
    else if (encoding === 'stored' && size !== storedSize) {
      reader.reject(`stored payload announces ${size} bytes and holds ${storedSize}`);
    } else if (encoding === 'deflate' && size > storedSize * 1032 + 1032) {
      // DEFLATE cannot expand further than 258 bytes for two bits.
      reader.reject(`deflated payload of ${storedSize} bytes cannot hold ${size}`);
    }
  }
  return { fileOffset, storedSize, size, encoding, crc32: crc === 0 ? undefined : crc };
}

function finished<T>(reader: FieldReader, value: T): Result<T, string> {
  return reader.problem === undefined ? ok(value) : fail(reader.problem);
}

/** Registers before a bad one are kept: the second member names the problem. */
export function decodeRegisters(bytes: Uint8Array): { registers: CaptureRegister[]; problem: string | undefined } {
  const reader = new FieldReader(bytes);
  const space = reader.choice(REGISTER_SPACES, reader.u32(), 'register space');
  const count = reader.u32();
  const registers: CaptureRegister[] = [];
  if (reader.problem !== undefined || !reader.room(count, 8, 'registers'))
    return { registers, problem: reader.problem };
  const limit = REGISTER_SPACE_RANGE[space].count;
  for (let i = 0; i < count; i++) {
    const index = reader.u32();
    const value = reader.u32();
    if (index < limit) registers.push({ space, index, value });
    else
      reader.reject(`register index 0x${index.toString(16)} is outside the ${space} space of 0x${limit.toString(16)}`);
  }
  return { registers, problem: reader.problem };
}

export function decodeSubmit(bytes: Uint8Array): Result<CaptureSubmit, string> {
  const reader = new FieldReader(bytes);
  const sequence = reader.u32();
  const queue = reader.choice(QUEUE_KINDS, reader.u16(), 'queue kind');
  const queueIndex = reader.u16();
  const address = reader.address('command buffer address');
  const dwords = reader.u32();
  reader.u32();
  if (address % 4 !== 0) reader.reject(`command buffer address 0x${address.toString(16)} is not dword aligned`);
  reader.range(address, dwords * 4, 'command buffer');
  return finished(reader, { sequence, queue, queueIndex, address, dwords });
}

export function decodeUpdate(bytes: Uint8Array, bounds: PayloadBounds): Result<CaptureUpdate, string> {
  const reader = new FieldReader(bytes);
  const beforeSequence = reader.u32();
  reader.u32();
  const address = reader.address('update address');
  const payload = readPayload(reader, bounds);
  reader.range(address, payload.size, 'update');
  return finished(reader, { beforeSequence, address, payload });
}

export function decodeShader(bytes: Uint8Array): Result<CaptureShader, string> {
  const reader = new FieldReader(bytes);
  const codeAddress = reader.address('code address');
  const headerAddress = reader.address('header address');
  const fetchAddress = reader.address('fetch shader address');
  const hardwareStage = reader.choice(HARDWARE_STAGES, reader.u32(), 'hardware stage');
  const softwareStage = reader.choice(SOFTWARE_STAGES, reader.u32(), 'software stage');
  const present = reader.u32();
  const name = reader.text(reader.u32(), 'shader name');
  return finished(reader, {
    codeAddress,
    hardwareStage,
    softwareStage,
    ...(present & 1 ? { headerAddress } : {}),
    ...(present & 2 ? { fetchAddress } : {}),
    ...(name === '' ? {} : { name }),
  });
}

export function decodeExpected(bytes: Uint8Array, bounds: PayloadBounds): Result<CaptureExpectation, string> {
  const reader = new FieldReader(bytes);
  const event = reader.u32();
  const kind = reader.choice(['memory', 'refused'] as const, reader.u32(), 'expectation kind');
  if (reader.problem !== undefined) return fail(reader.problem);
  if (kind === 'refused') {
    const backendNumber = reader.u32();
    const backend = backendNumber === 0 ? undefined : reader.choice(EXPECTATION_BACKENDS, backendNumber - 1, 'backend');
    const codeSize = reader.u32();
    const reasonSize = reader.u32();
    const code = reader.text(codeSize, 'diagnostic code');
    const reason = reader.text(reasonSize, 'reason');
    return finished(reader, { kind, event, ...(backend ? { backend } : {}), code, reason });
  }
  const address = reader.address('expectation address');
  const payload = readPayload(reader, bounds);
  reader.range(address, payload.size, 'expectation');
  const sourceSize = reader.u32();
  const exceptionCount = reader.u32();
  const source = reader.text(sourceSize, 'source');
  const exceptions: ExpectationException[] = [];
  if (reader.room(exceptionCount, 20, 'exceptions')) {
    for (let i = 0; i < exceptionCount && reader.problem === undefined; i++) {
      exceptions.push(decodeException(reader, payload.size));
    }
  }
  return finished(reader, { kind, event, address, payload, source, exceptions });
}

function decodeException(reader: FieldReader, sizeBytes: number): ExpectationException {
  const firstWord = reader.u32();
  const words = reader.u32();
  const type = reader.choice(EXCEPTION_TYPES, reader.u32(), 'exception type');
  const bound = reader.u32();
  const reason = reader.text(reader.u32(), 'reason');
  if ((firstWord + words) * 4 > sizeBytes) {
    reader.reject(`exception of ${words} words from word ${firstWord} passes the ${sizeBytes} expected bytes`);
  }
  return { firstWord, words, type, bound: bound === NO_BOUND ? 'any' : bound, reason };
}

export function decodeLabel(bytes: Uint8Array): Result<CaptureLabel, string> {
  const reader = new FieldReader(bytes);
  const present = reader.u32();
  const event = reader.u32();
  const address = reader.address('label address');
  const text = reader.text(reader.u32(), 'label');
  return finished(reader, {
    ...(present & 1 ? { address } : {}),
    ...(present & 2 ? { event } : {}),
    text,
  });
}
