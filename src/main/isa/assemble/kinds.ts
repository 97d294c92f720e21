/**
 * Operand kinds of the rows (row.ts: `sd64b`, `x16f`, `m`, …) as numbers and words that the matcher uses.
 */
import type { WaveSize } from '../../base/dispatch.ts';
import type { OperandKind } from '../row.ts';
import type { ConstantType } from './immediates.ts';

export type OperandLetter = 's' | 'sd' | 'r' | 'v' | 'x' | 'k' | 'm' | 'va' | 'sa' | 'vd' | 'i';

export interface Kind {
  readonly letter: OperandLetter;
  /** Width in bits as in the row; 0 where the flags decide (va, vd). */
  readonly bits: number;
  /** Registers that the operand has. */
  readonly dwords: number;
  readonly constant: ConstantType;
  /** Takes abs and neg as VOP3, SDWA or DPP. */
  readonly isFloat: boolean;
  readonly isPacked: boolean;
}

const cache = new Map<string, Kind>();

export function parseKind(text: OperandKind, waveSize: WaveSize): Kind {
  const key = `${text}/${waveSize}`;
  let kind = cache.get(key);
  if (!kind) {
    kind = makeKind(text, waveSize);
    cache.set(key, kind);
  }
  return kind;
}

function makeKind(text: string, waveSize: WaveSize): Kind {
  if (text === 'm') return fixed('m', waveSize, waveSize / 32, waveSize === 64 ? 'i64' : 'i32');
  if (text === 'va') return fixed('va', 0, 0, 'i32');
  if (text === 'sa') return fixed('sa', 64, 2, 'i64');
  if (text.startsWith('vd')) return fixed('vd', 0, 0, 'i32');
  const match = /^(sd|[svrxki])(\d+)(p?)([biufm]?)$/.exec(text)!;
  const letter = match[1] as OperandLetter;
  const bits = Number(match[2]);
  const packed = match[3] === 'p';
  const type = match[4]!;
  const mixed = type === 'm';
  const float = type === 'f' || mixed;
  return {
    letter,
    bits,
    dwords: letter === 'i' ? 0 : Math.max(1, bits / 32),
    constant: constantType(mixed ? 16 : bits, packed, float),
    isFloat: float,
    isPacked: packed,
  };
}

function fixed(letter: OperandLetter, bits: number, dwords: number, constant: ConstantType): Kind {
  return { letter, bits, dwords, constant, isFloat: false, isPacked: false };
}

function constantType(bits: number, packed: boolean, float: boolean): ConstantType {
  if (packed) return float ? 'packedFloat' : 'packedInt';
  if (bits === 16) return float ? 'f16' : 'i16';
  if (bits === 64) return float ? 'f64' : 'i64';
  return float ? 'f32' : 'i32';
}

/** "a VGPR", "a pair of SGPRs", "4 VGPRs": what a register operand needs. */
export function registersInWords(file: 'VGPR' | 'SGPR', dwords: number): string {
  if (dwords <= 1) return file === 'VGPR' ? 'a VGPR' : 'an SGPR';
  return dwords === 2 ? `a pair of ${file}s` : `${dwords} ${file}s`;
}

/** What an operand of this kind may be, after "must be". */
export function kindInWords(kind: Kind): string {
  switch (kind.letter) {
    case 'v':
      return registersInWords('VGPR', kind.dwords);
    case 's':
      return `${registersInWords('SGPR', kind.dwords)}${kind.dwords <= 2 ? ' or a constant' : ''}`;
    case 'sd':
    case 'r':
      return registersInWords('SGPR', kind.dwords);
    case 'x':
      return `${registersInWords('VGPR', kind.dwords)}, ${registersInWords('SGPR', kind.dwords)} or a constant`;
    case 'k':
      return 'a constant';
    case 'm':
      return kind.dwords === 1 ? 'an SGPR (wave32 mask)' : 'a pair of SGPRs (wave64 mask)';
    case 'i':
      return 'a number';
    case 'va':
      return 'VGPRs';
    case 'sa':
      return "a pair of SGPRs or 'off'";
    case 'vd':
      return 'VGPRs';
  }
}
