/**
 * Lines of assembly made from the instruction tables: every mnemonic of a target in every encoding, with random operands
 * and modifiers. Not all of them are legal; llvm-mc is the judge. The same seed gives the same lines.
 *
 * The text is built from rows, not by the printer, so that it exercises spellings the printer never produces.
 */
import type { Target, WaveSize } from '../../src/main/base/dispatch.ts';
import type { Row } from '../../src/main/isa/row.ts';
import { formatOn, MNEMONICS, opcodeOn, ROWS } from '../../src/main/isa/tables/index.ts';

/** A small generator of 32-bit numbers (xorshift), so that runs repeat. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0 || 1;
  }

  next(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return this.state;
  }

  below(limit: number): number {
    return this.next() % limit;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

export interface Line {
  readonly mnemonic: string;
  /** Encoding or variant: what coverage is counted by, together with the mnemonic. */
  readonly form: string;
  readonly text: string;
}

class Writer {
  readonly random: Random;
  readonly target: Target;
  readonly waveSize: WaveSize;
  readonly gfx7: boolean;

  constructor(random: Random, target: Target, waveSize: WaveSize) {
    this.random = random;
    this.target = target;
    this.waveSize = waveSize;
    this.gfx7 = target === 'gfx700';
  }

  vgpr(dwords: number): string {
    const { random } = this;
    const first = random.chance(90) ? random.below(32) : random.pick([255, 128, 256 - dwords, 0]);
    if (dwords <= 1) return random.chance(95) ? `v${first}` : `v[${first}]`;
    return `v[${first}:${first + dwords - 1}]`;
  }

  sgpr(dwords: number): string {
    const { random } = this;
    const align = dwords >= 3 ? 4 : Math.max(1, dwords);
    const first = align * random.below(Math.floor(100 / align));
    if (dwords <= 1) {
      if (random.chance(75)) return `s${first}`;
      const names = ['vcc_lo', 'vcc_hi', 'm0', 'exec_lo', 'exec_hi', 'ttmp5', 's103'];
      return random.pick(this.gfx7 ? [...names, 'flat_scratch_lo', 'tba_lo'] : [...names, 'null', 's105']);
    }
    if (dwords === 2 && random.chance(25))
      return random.pick(['vcc', 'exec', 'ttmp[4:5]', this.gfx7 ? 'flat_scratch' : 's[104:105]']);
    if (random.chance(8)) return `ttmp[4:${3 + dwords}]`;
    return `s[${first}:${first + dwords - 1}]`;
  }

  mask(): string {
    const { random } = this;
    if (random.chance(40)) return this.waveSize === 32 ? 'vcc_lo' : 'vcc';
    return this.sgpr(this.waveSize / 32);
  }

  /**
   * A constant for an operand of a kind. Left out where llvm-mc itself is wrong: decimals other than the inline ones for
   * 16-bit and packed integers (it writes their f32 bits), and 0xffff for 16-bit integers in SDWA.
   */
  constant(kind: string): string {
    const bits = Number(/\d+/.exec(kind)![0]);
    const isFloat = /[fm]$/.test(kind);
    const isPacked = kind.includes('p');
    const all = ['0', '1', '-1', '64', '-16', '65', '-17', '0x1234', '0.5', '-4.0', '1.0', '-32768'];
    if (isFloat) all.push('2.5', '0.15915494', '0xffff');
    if (bits >= 32) all.push('0x3f800000', '0x12345678', '0xffffffff', '-2147483648', '0x40490fdb');
    if (bits >= 32 && !isPacked) all.push('100.0', '1e10');
    if (bits === 64) all.push('0x3fe0000000000000', '3.5');
    return this.random.pick(all);
  }

  scalarSource(kind: string, dwords: number): string {
    const { random } = this;
    if (random.chance(55)) return this.sgpr(dwords);
    if (random.chance(85)) return this.constant(kind);
    const gfx10 = ['src_shared_base', 'src_private_limit', 'scc', 'vccz', 'src_execz', 'pops_exiting_wave_id'];
    return random.pick(this.gfx7 ? ['scc', 'vccz', 'execz'] : gfx10);
  }

  anySource(kind: string, dwords: number): string {
    const { random } = this;
    if (random.chance(50)) return this.vgpr(dwords);
    if (dwords === 1 && random.chance(3)) return 'lds_direct';
    return this.scalarSource(kind, dwords);
  }

  /** An operand of a kind as row.ts writes it. */
  operand(kind: string): string {
    if (kind === 'm') return this.mask();
    const match = /^(sd|[svrxki])(\d+)/.exec(kind)!;
    const bits = Number(match[2]);
    const dwords = Math.max(1, bits / 32);
    switch (match[1]) {
      case 's':
        return this.scalarSource(kind, dwords);
      case 'sd':
      case 'r':
        return this.sgpr(dwords);
      case 'v':
        return this.vgpr(dwords);
      case 'x':
        return this.anySource(kind, dwords);
      case 'k':
        return this.constant(kind);
      default:
        return String(this.random.below(4));
    }
  }

  /** Adds a source modifier now and then. */
  modified(text: string, kind: string): string {
    const { random } = this;
    if (!random.chance(25)) return text;
    // LLVM refuses a minus before a negative number, and sext on a mask.
    if (text.startsWith('-')) return `|${text}|`;
    if (kind === 'm') return text;
    if (/f$/.test(kind) || kind === 'x32m')
      return random.pick([`-${text}`, `|${text}|`, `-|${text}|`, `neg(${text})`, `abs(${text})`]);
    return random.chance(15) && /^[vs]/.test(text) ? random.pick([`sext(${text})`, `-${text}`]) : text;
  }

  flags(names: readonly string[], percent: number): string {
    return names
      .filter(() => this.random.chance(percent))
      .map((name) => ` ${name}`)
      .join('');
  }
}

function vectorLines(w: Writer, name: string, row: Row, format: string): Line[] {
  const lines: Line[] = [];
  const { random } = w;
  const short = ['VOP1', 'VOP2', 'VOPC'].includes(format);
  const no = row.no ?? [];
  const hasDst = !(format === 'VOPC' && row.writesExec && !w.gfx7);
  const forms = short ? ['auto', 'e32'] : ['auto'];
  if (short && !no.includes('e64')) forms.push('e64');
  if (short && !w.gfx7 && (row.dst.length > 0 || name === 'v_nop')) {
    if (!no.includes('sdwa')) forms.push('sdwa');
    // LLVM has no DPP form of compares on gfx10, though the hardware does.
    if (!no.includes('dpp16') && format !== 'VOPC') forms.push('dpp16');
    if (!no.includes('dpp8') && format !== 'VOPC') forms.push('dpp8');
  }
  for (const form of forms) {
    const lanes = form === 'dpp16' || form === 'dpp8' || form === 'sdwa';
    const dst = hasDst
      ? row.dst.map((kind) => ((form === 'e32' || lanes) && kind === 'm' ? vcc(w) : w.operand(kind)))
      : [];
    const src = row.src.map((kind) => {
      if (kind === 'm') return form === 'auto' || form === 'e64' ? w.mask() : vcc(w);
      const wide =
        form === 'e64' || (form === 'auto' && random.chance(40)) ? kind.replace(/^v/, short ? 'x' : 'v') : kind;
      const text = form === 'dpp16' || form === 'dpp8' ? w.operand(kind.replace(/^x/, 'v')) : w.operand(wide);
      if (form === 'e32' || form === 'dpp8') return random.chance(95) ? text : w.modified(text, kind);
      return format === 'VOP3B' ? text : w.modified(text, kind);
    });
    const suffix = { auto: '', e32: '_e32', e64: '_e64', sdwa: '_sdwa', dpp16: '_dpp', dpp8: '_dpp' }[form]!;
    const sources = src.length;
    let rest = '';
    if (form === 'auto' || form === 'e64') {
      if (format === 'VOP3P' || random.chance(6)) {
        const bits = (length: number): string => Array.from({ length }, () => random.below(2)).join(',');
        if (random.chance(50)) rest += ` op_sel:[${bits(sources + (format === 'VOP3P' ? 0 : random.below(2)))}]`;
        if (format === 'VOP3P' && random.chance(50)) rest += ` op_sel_hi:[${bits(sources)}]`;
        if (format === 'VOP3P' && random.chance(30)) rest += ` neg_lo:[${bits(sources)}] neg_hi:[${bits(sources)}]`;
      }
      if (random.chance(12)) rest += ' clamp';
      if (random.chance(10)) rest += random.pick([' mul:2', ' mul:4', ' div:2']);
    } else if (form === 'sdwa') {
      const select = (): string => random.pick(['BYTE_0', 'BYTE_3', 'WORD_0', 'WORD_1', 'DWORD']);
      if (random.chance(10)) rest += ' clamp';
      if (hasDst && row.dst.length > 0 && format !== 'VOPC') {
        rest += ` dst_sel:${select()} dst_unused:${random.pick(['UNUSED_PAD', 'UNUSED_SEXT', 'UNUSED_PRESERVE'])}`;
      }
      if (sources > 0) rest += ` src0_sel:${select()}`;
      if (sources > 1) rest += ` src1_sel:${select()}`;
    } else if (form === 'dpp16') {
      rest += ` ${random.pick(['quad_perm:[3,2,1,0]', 'row_shl:1', 'row_shr:15', 'row_ror:7', 'row_mirror', 'row_half_mirror', 'row_share:5', 'row_xmask:10'])}`;
      if (random.chance(50)) rest += ` row_mask:0x${random.below(16).toString(16)} bank_mask:${random.below(16)}`;
      rest += w.flags(['bound_ctrl:0', 'fi:1'], 30);
    } else if (form === 'dpp8') {
      rest += ` dpp8:[${Array.from({ length: 8 }, () => random.below(8)).join(',')}]${w.flags(['fi:1'], 30)}`;
    }
    const operands = [...dst, ...src].join(', ');
    lines.push({ mnemonic: name, form, text: `${name}${suffix}${operands ? ` ${operands}` : ''}${rest}` });
  }
  return lines;
}

function vcc(w: Writer): string {
  return w.waveSize === 32 ? 'vcc_lo' : 'vcc';
}

function interpolationLines(w: Writer, name: string, row: Row, format: string): Line[] {
  const { random } = w;
  const attribute = `attr${random.below(33)}.${random.pick(['x', 'y', 'z', 'w'])}`;
  const source = row.src[0] === 'i2' ? random.pick(['p10', 'p20', 'p0']) : w.vgpr(1);
  const third = row.src[2] ? `, ${w.modified(w.vgpr(1), 'v32f')}` : '';
  const forms = format === 'VINTRP' && !w.gfx7 ? ['', '_e32', '_e64'] : [''];
  return forms.map((suffix) => {
    const rest =
      suffix === '_e32' || w.gfx7 ? '' : w.flags(format === 'VOP3' ? ['high', 'clamp'] : ['clamp', 'mul:2'], 20);
    return {
      mnemonic: name,
      form: suffix || 'auto',
      text: `${name}${suffix} ${w.vgpr(1)}, ${source}, ${attribute}${third}${rest}`,
    };
  });
}

function programControl(w: Writer, name: string, row: Row): string {
  const { random } = w;
  switch (row.imm) {
    case undefined:
    case 'none':
      return name;
    case 'end':
      return random.chance(50) ? name : `${name} ${random.below(100)}`;
    case 'waitcnt': {
      const counters = [
        `vmcnt(${random.below(w.gfx7 ? 16 : 64)})`,
        `expcnt(${random.below(8)})`,
        `lgkmcnt(${random.below(w.gfx7 ? 16 : 64)})`,
      ];
      const chosen = counters.filter(() => random.chance(60));
      return `${name} ${chosen.length > 0 ? chosen.join(random.pick([' & ', ' ', ', '])) : random.below(65536)}`;
    }
    case 'depctr':
      return `${name} ${random.pick(['0xfffe', 'depctr_sa_sdst(0) depctr_va_vdst(3)', 'depctr_vm_vsrc(2) & depctr_va_vcc(0)', 'depctr_va_sdst(1) depctr_va_ssrc(0)'])}`;
    case 'sendmsg':
      return `${name} sendmsg(${random.pick(['MSG_INTERRUPT', 'MSG_GS, GS_OP_EMIT, 1', 'MSG_GS_DONE, GS_OP_NOP', 'MSG_SYSMSG, SYSMSG_OP_REG_RD', '3, 2, 1', 'MSG_GS_DONE, GS_OP_EMIT_CUT, 3', 'MSG_GET_DOORBELL'])})`;
    case 'branch':
      return `${name} ${random.pick(['0', '1', '-1', '32767', '-32768', '65535'])}`;
    default:
      return `${name} ${random.pick(['0', '1', '15', '0x7fff', '65535', '-1'])}`;
  }
}

function constantLine(w: Writer, name: string, row: Row): string {
  const { random } = w;
  const register = row.dst.map((kind) => w.operand(kind.replace(/^s(\d)/, 'sd$1')));
  if (row.imm === 'hwreg') {
    const hwreg = random.pick([
      'hwreg(HW_REG_MODE)',
      'hwreg(HW_REG_MODE, 4, 8)',
      'hwreg(HW_REG_STATUS, 31, 1)',
      'hwreg(63, 1, 2)',
      '0x1881',
      'hwreg(HW_REG_TBA_LO)',
      'hwreg(HW_REG_HW_ID)',
    ]);
    if (row.dst.length === 0) return `${name} ${hwreg}, ${random.pick(['0x12345678', '5', '-1'])}`;
    return row.dst[0]!.startsWith('sd') ? `${name} ${register[0]}, ${hwreg}` : `${name} ${hwreg}, ${register[0]}`;
  }
  const value = random.pick(['0', '1', '-1', '0x1234', '32767', '-32768', '65535']);
  return `${name} ${[...register, value].join(', ')}`;
}

function scalarMemoryLine(w: Writer, name: string, row: Row): string {
  const { random } = w;
  const parts: string[] = [];
  const stored = row.src[2];
  if (stored) parts.push(w.operand(stored.replace(/^s(\d)/, 'sd$1')));
  else if (row.dst[0]) parts.push(w.operand(row.dst[0]));
  let rest = '';
  if (row.src.length > 0) {
    parts.push(w.sgpr(row.src[0] === 's128b' ? 4 : 2));
    const sgpr = random.chance(40);
    parts.push(sgpr ? w.sgpr(1) : random.pick(['0', '0x10', '0xff', '0x100', '0xfffff', '-4', '4']));
    if (sgpr && !w.gfx7 && random.chance(40)) rest += ` offset:0x${random.below(0x100000).toString(16)}`;
    if (!w.gfx7) rest += w.flags(['glc', 'dlc'], 25);
  }
  return `${name}${parts.length ? ` ${parts.join(', ')}` : ''}${rest}`;
}

function dataShareLine(w: Writer, name: string, row: Row): string {
  const { random } = w;
  const parts = [...row.dst, ...row.src.filter((kind) => kind !== '-')].map((kind) => w.operand(kind));
  let rest = '';
  if (row.imm === 'offset2')
    rest = `${random.chance(70) ? ` offset0:${random.below(256)}` : ''}${random.chance(70) ? ` offset1:${random.below(256)}` : ''}`;
  else if (row.imm === 'swizzle')
    rest = random.pick([
      ' offset:0x1234',
      ' offset:swizzle(QUAD_PERM, 0, 1, 2, 3)',
      ' offset:swizzle(BITMASK_PERM, "01pip")',
      ' offset:swizzle(BROADCAST, 4, 1)',
      ' offset:swizzle(SWAP, 8)',
      ' offset:swizzle(REVERSE, 16)',
    ]);
  else if (row.imm !== 'none' && random.chance(70)) rest = ` offset:${random.below(65536)}`;
  if (row.gds === 'only' || (row.gds !== 'never' && random.chance(20))) rest += ' gds';
  return `${name}${parts.length ? ` ${parts.join(', ')}` : ''}${rest}`;
}

function bufferLine(w: Writer, name: string, row: Row, format: string): string {
  const { random } = w;
  if (row.src.length === 0) return name;
  const mode = random.below(w.gfx7 ? 5 : 4);
  const address = mode === 0 ? 'off' : w.vgpr(mode < 3 ? 1 : 2);
  const suffix = ['', ' idxen', ' offen', ' idxen offen', ' addr64'][mode]!;
  const lds = row.lds === true && random.chance(20);
  const tfe = !lds && row.memory === 'load' && format === 'MUBUF' && random.chance(10);
  const data = Number(/\d+/.exec(row.src[3] ?? row.dst[0]!)![0]) / 32 + (tfe ? 1 : 0);
  const parts = [
    ...(lds ? [] : [w.vgpr(data)]),
    address,
    w.sgpr(4),
    random.pick([w.sgpr(1), w.sgpr(1), '0', '64', '1.0', '-16']),
  ];
  let rest = '';
  if (format === 'MTBUF') {
    rest += random.pick(
      w.gfx7
        ? [' format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]', ' format:22', '']
        : [' format:[BUF_FMT_32_FLOAT]', ' format:77', '', ' format:[BUF_FMT_16_16_16_16_SNORM]'],
    );
  }
  rest += suffix;
  if (random.chance(60)) rest += ` offset:${random.below(4096)}`;
  const atomic = row.memory === 'atomic';
  rest += w.flags(w.gfx7 || atomic ? ['glc', 'slc'] : ['glc', 'slc', 'dlc'], 25);
  if (tfe) rest += ' tfe';
  if (lds) rest += ' lds';
  return `${name} ${parts.join(', ')}${rest}`;
}

const DIMS = ['1D', '2D', '3D', 'CUBE', '1D_ARRAY', '2D_ARRAY', '2D_MSAA', '2D_MSAA_ARRAY'];
const COORDINATES = [1, 2, 3, 3, 2, 3, 3, 4];
const GRADIENTS = [2, 4, 6, 4, 2, 4, 4, 4];

function imageLine(w: Writer, name: string, row: Row): string {
  const { random } = w;
  const hasSampler = row.src[2] !== undefined && row.src[2] !== '-';
  // Multisampled arrays are not sampled: llvm-mc has no variants for most of their address counts.
  const dim = name === 'image_msaa_load' ? 6 + random.below(2) : random.below(hasSampler ? 7 : 8);
  const a16 = !w.gfx7 && random.chance(20);
  let whole = 0;
  let halves = 0;
  for (const part of row.address!) {
    if (part === 'gradients') whole += w.gfx7 ? 2 : GRADIENTS[dim]!;
    else if (part === 'gradients16') whole += 2 * Math.ceil(GRADIENTS[dim]! / 4);
    else if (part === 'coordinates') halves += w.gfx7 ? 1 + random.below(2) : COORDINATES[dim]!;
    else if (part === 'lod' || part === 'clamp' || part === 'mip') halves++;
    else if (part === 'ray') whole += a16 ? 8 : 11;
    else if (part === 'ray64') whole += a16 ? 9 : 12;
    else whole++;
  }
  const isRay = row.address!.some((part) => part.startsWith('ray'));
  const address = whole + (a16 ? Math.ceil(halves / 2) : halves);
  const fixed = row.dst[0] === 'v128b';
  const dmask = fixed
    ? 1 << random.below(4)
    : row.memory === 'atomic'
      ? random.pick(name.endsWith('cmpswap') ? [3] : [1, 3])
      : 1 + random.below(15);
  const d16 = !w.gfx7 && row.d16 === true && random.chance(15);
  // LLVM lacks the three registers of a packed gather with tfe.
  const tfe = !isRay && !(fixed && d16) && random.chance(10);
  let data = fixed ? 4 : bits(dmask);
  if (d16) data = Math.ceil(data / 2);
  const tuple = w.vgpr(address === 0 ? 1 : address);
  // LLVM has no list form for the longest addresses of 2D_MSAA_ARRAY.
  const nsa =
    !w.gfx7 && address > 1 && dim !== 7 && random.chance(40)
      ? `[${Array.from({ length: address }, () => w.vgpr(1).replace(/[[\]]/g, '')).join(', ')}]`
      : tuple;
  const parts = [w.vgpr(isRay ? 4 : data + (tfe ? 1 : 0)), nsa, w.sgpr(isRay ? 4 : 8)];
  if (hasSampler) parts.push(w.sgpr(4));
  if (isRay) return `${name} ${parts.join(', ')}${a16 ? ' a16' : ''}`;
  let rest = ` dmask:0x${dmask.toString(16)}`;
  if (!w.gfx7) rest += ` dim:${random.chance(50) ? 'SQ_RSRC_IMG_' : ''}${DIMS[dim]}`;
  rest += w.flags(w.gfx7 ? ['unorm', 'glc', 'slc', 'r128'] : ['unorm', 'glc', 'slc', 'dlc', 'r128'], 15);
  rest += `${a16 ? ' a16' : ''}${tfe ? ' tfe' : ''}${w.flags(w.gfx7 ? ['lwe', 'da'] : ['lwe'], 15)}${d16 ? ' d16' : ''}`;
  return `${name} ${parts.join(', ')}${rest}`;
}

function bits(mask: number): number {
  return [1, 2, 4, 8].filter((bit) => mask & bit).length;
}

function flatLine(w: Writer, name: string, row: Row, format: string): string {
  const { random } = w;
  const atomic = row.memory === 'atomic';
  const glc = random.chance(atomic ? 50 : 20);
  const parts: string[] = [];
  const lds = row.lds === true && random.chance(20);
  if (row.dst[0] && (!atomic || glc) && !lds) parts.push(w.operand(row.dst[0]));
  const scalar = random.chance(50);
  if (row.src[0] === 'va') {
    if (format === 'FLAT') parts.push(w.vgpr(2));
    else if (format === 'GLOBAL') parts.push(w.vgpr(scalar ? 1 : 2));
    else parts.push(scalar ? 'off' : w.vgpr(1));
  }
  if (row.src[1] && row.src[1] !== '-') parts.push(w.operand(row.src[1]));
  if (format !== 'FLAT') parts.push(scalar ? w.sgpr(format === 'GLOBAL' ? 2 : 1).replace('null', 's3') : 'off');
  let rest = '';
  if (!w.gfx7 && random.chance(60))
    rest += ` offset:${format === 'FLAT' ? random.below(2048) : random.below(4096) - 2048}`;
  if (glc) rest += ' glc';
  rest += w.flags(w.gfx7 ? ['slc'] : ['slc', 'dlc'], 20);
  if (lds) rest += ' lds';
  return `${name} ${parts.join(', ')}${rest}`;
}

function exportLine(w: Writer): string {
  const { random } = w;
  const target = random.pick(['mrt0', 'mrt7', 'mrtz', 'null', 'pos0', 'pos3', 'pos4', 'param0', 'param31', 'prim']);
  const done = w.flags(['done'], 40);
  const vm = w.flags(['vm'], 40);
  if (random.chance(25)) {
    const pair = (): string => {
      const value = random.chance(70) ? w.vgpr(1) : 'off';
      return `${value}, ${value}`;
    };
    return `exp ${target} ${pair()}, ${pair()}${done} compr${vm}`;
  }
  return `exp ${target} ${[0, 1, 2, 3].map(() => (random.chance(70) ? w.vgpr(1) : 'off')).join(', ')}${done}${vm}`;
}

/** One line per encoding of every mnemonic of the target. */
export function assembleLines(target: Target, waveSize: WaveSize, random: Random): Line[] {
  const w = new Writer(random, target, waveSize);
  const lines: Line[] = [];
  ROWS.forEach((row, op) => {
    if (opcodeOn(row, target) === undefined) return;
    const name = MNEMONICS[op]!;
    const format = formatOn(row, target);
    const one = (text: string): void => {
      lines.push({ mnemonic: name, form: 'plain', text });
    };
    switch (format) {
      case 'SOP1':
      case 'SOP2':
      case 'SOPC': {
        const parts = [...row.dst, ...row.src].map((kind) => w.operand(kind));
        return one(`${name}${parts.length ? ` ${parts.join(', ')}` : ''}`);
      }
      case 'SOPK':
        return one(constantLine(w, name, row));
      case 'SOPP':
        return one(programControl(w, name, row));
      case 'SMEM':
      case 'SMRD':
        return one(scalarMemoryLine(w, name, row));
      case 'VINTRP':
        return lines.push(...interpolationLines(w, name, row, format));
      case 'VOP1':
      case 'VOP2':
      case 'VOPC':
      case 'VOP3':
      case 'VOP3B':
      case 'VOP3P':
        return lines.push(
          ...(row.imm === 'attr' ? interpolationLines(w, name, row, format) : vectorLines(w, name, row, format)),
        );
      case 'DS':
        return one(dataShareLine(w, name, row));
      case 'MUBUF':
      case 'MTBUF':
        return one(bufferLine(w, name, row, format));
      case 'MIMG':
        return one(imageLine(w, name, row));
      case 'FLAT':
      case 'GLOBAL':
      case 'SCRATCH':
        return one(flatLine(w, name, row, format));
      case 'EXP':
        return one(exportLine(w));
    }
  });
  return lines;
}
