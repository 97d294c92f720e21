/**
 * NOP: padding, and the carrier of everything that tools and runtimes hide in command streams.
 *
 * A Gnm runtime starts the body with 0x6875_xxxx: push (1), pop (2) and set (3) marker and push with colour (0xE), each
 * with a NUL-terminated string; hints about descriptors (4–6); flips (0x777–0x781). An AGC runtime numbers its own
 * operations in header bits 7:2; these are shown by number with their text, if any.
 * A NOP of one dword (0xFFFF1000) and one without a known first word is padding and no event.
 */
import {
  bits,
  EVERY_GENERATION,
  MAX_BODY_DWORDS,
  type PacketDefinition,
  type PacketEffect,
  payload,
} from './definition.ts';

const GNM_MARK = 0x6875;
const GNM_PUSH = 0x68750001;
const GNM_POP = 0x68750002;
const GNM_SET = 0x68750003;
const GNM_COLOUR_PUSH = 0x6875000e;

const GNM_OPERATIONS: Readonly<Record<number, string>> = {
  [GNM_PUSH]: 'PUSH_MARKER',
  [GNM_POP]: 'POP_MARKER',
  [GNM_SET]: 'SET_MARKER',
  1752498180: 'VSHARP_HINT',
  1752498181: 'TSHARP_HINT',
  1752498182: 'SSHARP_HINT',
  [GNM_COLOUR_PUSH]: 'PUSH_COLOUR_MARKER',
};
const FLIP_FIRST = 0x68750777;
const FLIP_LAST = 0x68750781;

const isGnm = (body: Uint32Array) => body.length > 0 && body[0]! >>> 16 === GNM_MARK;

export const NOP: PacketDefinition = {
  name: 'NOP',
  opcode: 0x10,
  generations: EVERY_GENERATION,
  body: [0, MAX_BODY_DWORDS],
  fields: [
    bits('OPERATION', 0, 0, 32, { when: isGnm, values: GNM_OPERATIONS }),
    payload('DATA', 1, { when: isGnm }),
    payload('DATA', 0, { when: (body) => !isGnm(body) }),
  ],
  execute({ header, body }, context): PacketEffect | undefined {
    if (!isGnm(body)) return runtimeOperation(header, body);
    const operation = body[0]!;
    switch (operation) {
      case GNM_PUSH:
      case GNM_COLOUR_PUSH: {
        const label = operation === GNM_PUSH ? textOf(body.subarray(1)) : colourMarkerText(body.subarray(1));
        context.pushMarker(label);
        return { kind: 'marker', action: 'push', label };
      }
      case GNM_POP: {
        const label = context.popMarker();
        if (label === undefined) context.report('PM4030', 'warning', 'pop marker without an open marker');
        return { kind: 'marker', action: 'pop', label: label ?? '' };
      }
      case GNM_SET:
        return { kind: 'marker', action: 'set', label: textOf(body.subarray(1)) };
    }
    const name = GNM_OPERATIONS[operation];
    if (name) return { kind: 'marker', action: 'hint', label: name };
    if (operation >= FLIP_FIRST && operation <= FLIP_LAST) return { kind: 'marker', action: 'flip', label: 'FLIP' };
    return { kind: 'marker', action: 'hint', label: `0x${operation.toString(16)}` };
  },
};

function runtimeOperation(header: number, body: Uint32Array): PacketEffect | undefined {
  const number = (header >>> 2) & 0x3f;
  if (number === 0) return undefined;
  const text = textOf(body);
  const printable = /^[\x20-\x7e]+$/.test(text);
  return { kind: 'marker', action: 'hint', label: `operation ${number}${printable ? `: ${text}` : ''}` };
}

/** Bytes up to the first NUL as UTF-8. */
function textOf(words: Uint32Array): string {
  const bytes = new Uint8Array(4 * words.length);
  words.forEach((w, i) => {
    for (let k = 0; k < 4; k++) bytes[4 * i + k] = w >>> (8 * k);
  });
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** The colour stands before the text in some writers and after it in others: whichever reading is printable. */
function colourMarkerText(words: Uint32Array): string {
  const direct = textOf(words);
  return /^[\x20-\x7e]+$/.test(direct) ? direct : textOf(words.subarray(1));
}
