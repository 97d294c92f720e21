/** The Lanescope notes, written: the mirror of decode-notes.ts. `place` puts bytes into the payload segment. */
import { encodeText, FieldWriter } from './field-writer.ts';
import { NO_BOUND } from './layout.ts';
import {
  CAPTURE_FORMAT_VERSION,
  type CaptureContents,
  type CaptureLabel,
  type CaptureRegister,
  type CaptureShader,
  type CaptureSubmit,
  EXCEPTION_TYPES,
  EXPECTATION_BACKENDS,
  type ExpectationContents,
  HARDWARE_STAGES,
  type PayloadRef,
  QUEUE_KINDS,
  REGISTER_SPACES,
  type RegisterSpace,
  SOFTWARE_STAGES,
  type UpdateContents,
} from './model.ts';

export type PlacePayload = (bytes: Uint8Array) => PayloadRef;

export function encodeMeta(contents: CaptureContents): Uint8Array {
  const { target, producer, title } = contents;
  const known = { version: CAPTURE_FORMAT_VERSION, producer, target, title };
  // Known keys first for people who read the file, and again last so that an extra key cannot replace one.
  return encodeText(JSON.stringify({ ...known, ...contents.extra, ...known }));
}

function payload(writer: FieldWriter, ref: PayloadRef): FieldWriter {
  writer.u64(ref.fileOffset).u64(ref.storedSize).u64(ref.size);
  return writer.u32(ref.encoding === 'deflate' ? 1 : 0).u32(ref.crc32 ?? 0);
}

function text(writer: FieldWriter, bytes: Uint8Array): FieldWriter {
  return writer.raw(bytes).align(4);
}

export function encodeRegisters(space: RegisterSpace, registers: readonly CaptureRegister[]): Uint8Array {
  const writer = new FieldWriter().u32(REGISTER_SPACES.indexOf(space)).u32(registers.length);
  for (const register of registers) writer.u32(register.index).u32(register.value);
  return writer.finish();
}

export function encodeSubmit(submit: CaptureSubmit): Uint8Array {
  const writer = new FieldWriter().u32(submit.sequence).u16(QUEUE_KINDS.indexOf(submit.queue)).u16(submit.queueIndex);
  return writer.u64(submit.address).u32(submit.dwords).u32(0).finish();
}

export function encodeUpdate(update: UpdateContents, place: PlacePayload): Uint8Array {
  const writer = new FieldWriter().u32(update.beforeSequence).u32(0).u64(update.address);
  return payload(writer, place(update.bytes)).finish();
}

export function encodeShader(shader: CaptureShader): Uint8Array {
  const name = encodeText(shader.name ?? '');
  const writer = new FieldWriter()
    .u64(shader.codeAddress)
    .u64(shader.headerAddress ?? 0)
    .u64(shader.fetchAddress ?? 0);
  writer.u32(HARDWARE_STAGES.indexOf(shader.hardwareStage)).u32(SOFTWARE_STAGES.indexOf(shader.softwareStage));
  writer.u32((shader.headerAddress === undefined ? 0 : 1) | (shader.fetchAddress === undefined ? 0 : 2));
  return text(writer.u32(name.length), name).finish();
}

export function encodeExpected(expected: ExpectationContents, place: PlacePayload): Uint8Array {
  const writer = new FieldWriter().u32(expected.event);
  if (expected.kind === 'refused') {
    const code = encodeText(expected.code);
    const reason = encodeText(expected.reason);
    writer.u32(1).u32(expected.backend ? EXPECTATION_BACKENDS.indexOf(expected.backend) + 1 : 0);
    writer.u32(code.length).u32(reason.length);
    return text(text(writer, code), reason).finish();
  }
  const source = encodeText(expected.source);
  payload(writer.u32(0).u64(expected.address), place(expected.bytes));
  text(writer.u32(source.length).u32(expected.exceptions.length), source);
  for (const exception of expected.exceptions) {
    const reason = encodeText(exception.reason);
    writer.u32(exception.firstWord).u32(exception.words).u32(EXCEPTION_TYPES.indexOf(exception.type));
    text(writer.u32(exception.bound === 'any' ? NO_BOUND : exception.bound).u32(reason.length), reason);
  }
  return writer.finish();
}

export function encodeLabel(label: CaptureLabel): Uint8Array {
  const bytes = encodeText(label.text);
  const present = (label.address === undefined ? 0 : 1) | (label.event === undefined ? 0 : 2);
  const writer = new FieldWriter()
    .u32(present)
    .u32(label.event ?? 0)
    .u64(label.address ?? 0);
  return text(writer.u32(bytes.length), bytes).finish();
}
