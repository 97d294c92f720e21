/**
 * Patches branches, literals and data once all labels are known.
 *
 * A branch field is the distance in dwords from the next instruction. A literal is relative to its own position exactly
 * when LLVM's is (`isPcRelative`): `s_add_u32 s0, s0, label@rel32@lo+4` after s_getpc gives the label's address.
 */
import { addressHigh32, addressLow32, canonicalAddress } from '../../base/guest-address.ts';
import { type EvaluationFailure, type Expression, evaluate, isPcRelative, takesHighHalf } from './expressions.ts';
import type { Fixup, Output } from './output.ts';
import { isRegisterName } from './registers.ts';
import { ASM, type Reporter } from './reporter.ts';
import { didYouMean, nearestWords } from './suggest.ts';
import type { SymbolTable } from './symbols.ts';

interface Problem {
  readonly code: string;
  readonly message: string;
}

export function applyFixups(output: Output, symbols: SymbolTable, reporter: Reporter): void {
  for (const fixup of output.fixups) {
    const result = evaluate(fixup.expression, symbols.resolve);
    const problem = result.ok
      ? patch(output, symbols, fixup, result.value)
      : { code: ASM.SYMBOL, message: explain(result.reason, result.name, symbols, fixup) };
    if (!problem) continue;
    reporter.add(problem.code, 'badInput', `${fixup.name}: ${problem.message}`, fixup.line, fixup.column, fixup.length);
  }
}

function explain(reason: EvaluationFailure, name: string, symbols: SymbolTable, fixup: Fixup): string {
  switch (reason) {
    case 'division':
      return 'division by zero';
    case 'cycle':
      return `'${name}' is defined by itself, or through too many other symbols`;
    case 'size':
      return 'the expression is too large';
    case 'undefined': {
      if (/^\d+@/.test(name)) return `no local label '${name.slice(0, name.indexOf('@'))}:' in that direction`;
      return `'${name}' is not defined${undefinedHint(name, symbols, fixup)}`;
    }
  }
}

function undefinedHint(name: string, symbols: SymbolTable, fixup: Fixup): string {
  if (isRegisterName(name) || isRegisterName(name.toLowerCase())) {
    return ' (not a register here: lower case, and of this target)';
  }
  const near = didYouMean(nearestWords(name, symbols.names()));
  if (near !== '' || fixup.kind !== 'literal') return near;
  if (/^\$\d/.test(name)) return "; numbers are written without '$'";
  return /^[a-z]{1,3}\d+$/i.test(name) ? '; registers are v0, s0, ttmp0, m0, vcc, exec' : '';
}

/** Writes the field; what is wrong, or undefined. */
function patch(output: Output, symbols: SymbolTable, fixup: Fixup, value: bigint): Problem | undefined {
  switch (fixup.kind) {
    case 'branch':
      return patchBranch(output, fixup, value);
    case 'literal':
      return patchLiteral(output, symbols, fixup, value);
    case 'data':
      return patchData(output, symbols, fixup, value);
  }
}

function patchBranch(output: Output, fixup: Fixup, value: bigint): Problem | undefined {
  const distance = Number(value) - (output.base + fixup.offset + 4);
  if (distance % 4 !== 0) return { code: ASM.BRANCH_RANGE, message: 'the target is not a multiple of 4 bytes away' };
  const dwords = distance / 4;
  if (dwords < -0x8000 || dwords > 0x7fff) {
    const message = `the target is ${dwords} dwords away; a branch reaches -32768 to 32767`;
    return { code: ASM.BRANCH_RANGE, message };
  }
  output.writeU16(fixup.offset, dwords);
  return undefined;
}

function patchLiteral(output: Output, symbols: SymbolTable, fixup: Fixup, value: bigint): Problem | undefined {
  const relative = isPcRelative(fixup.expression, symbols.resolve);
  const high = takesHighHalf(fixup.expression);
  const full = relative ? value - BigInt(output.base + fixup.offset) : value;
  const symbolic = high || takesLowHalf(fixup.expression);
  if (!symbolic && (full > 0xffffffffn || full < -0x80000000n)) {
    return { code: ASM.IMMEDIATE_RANGE, message: 'the value does not fit the 32-bit literal' };
  }
  const bits = BigInt.asUintN(64, relative || !symbolic ? full : registerValue(full));
  output.writeU32(fixup.offset, Number(high ? bits >> 32n : bits & 0xffffffffn));
  return undefined;
}

function patchData(output: Output, symbols: SymbolTable, fixup: Fixup, value: bigint): Problem | undefined {
  const address = isPcRelative(fixup.expression, symbols.resolve);
  if (fixup.sizeBytes === 8) {
    output.writeInteger(fixup.offset, address ? registerValue(value) : value, 8);
    return undefined;
  }
  const bits = BigInt(8 * fixup.sizeBytes);
  let field = value;
  if (takesHighHalf(fixup.expression)) field = registerValue(value) >> 32n;
  else if (takesLowHalf(fixup.expression)) field = value & 0xffffffffn;
  if (field >= 1n << bits || field < -(1n << (bits - 1n))) {
    const hint = address ? '; an address takes .quad' : '';
    return { code: ASM.IMMEDIATE_RANGE, message: `the value does not fit ${fixup.sizeBytes} bytes${hint}` };
  }
  output.writeInteger(fixup.offset, field, fixup.sizeBytes);
  return undefined;
}

/** @rel32@lo or @abs32@lo occurs: the low 32 bits are wanted, whatever the rest is. */
function takesLowHalf(expression: Expression): boolean {
  const stack = [expression];
  for (let steps = 0; stack.length > 0 && steps < 1000; steps++) {
    const node = stack.pop()!;
    if (node.kind === 'symbol' && (node.variant === 'rel32lo' || node.variant === 'abs32lo')) return true;
    if (node.kind === 'unary') stack.push(node.operand);
    if (node.kind === 'binary') stack.push(node.left, node.right);
  }
  return false;
}

/** A 48-bit address as the 64-bit value that registers hold: sign-extended from bit 47. */
function registerValue(address: bigint): bigint {
  const canonical = canonicalAddress(address);
  return (BigInt(addressHigh32(canonical)) << 32n) | BigInt(addressLow32(canonical));
}
