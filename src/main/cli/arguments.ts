/**
 * Parsers for option values that several verbs take. All throw CommandError with usage code and say what was expected.
 */
import { TARGETS, type Target, type Vec3, type WaveSize } from '../base/dispatch.ts';
import { canonicalAddress, type GuestAddress } from '../base/guest-address.ts';
import { CommandError, EXIT } from './output.ts';

function usage(message: string): never {
  throw new CommandError(EXIT.usage, message);
}

export function parseNumber(text: string, what: string): number {
  const clean = text.replaceAll('_', '');
  if (!/^(0x[0-9a-f]+|\d+)$/i.test(clean)) usage(`${what}: '${text}' is not a number`);
  const value = Number(clean);
  if (!Number.isSafeInteger(value)) usage(`${what}: '${text}' is too large`);
  return value;
}

export function parseAddress(text: string, what: string): GuestAddress {
  const clean = text.replaceAll('_', '');
  if (!/^(0x[0-9a-f]{1,16}|\d+)$/i.test(clean)) usage(`${what}: '${text}' is not an address`);
  return canonicalAddress(BigInt(clean));
}

export function parseTarget(text: string): Target {
  if ((TARGETS as readonly string[]).includes(text)) return text as Target;
  return usage(`--target: '${text}' is none of ${TARGETS.join(', ')}`);
}

/** Without a wish the usual size of the target: gfx7 has waves of 64 only. */
export function parseWave(text: string | undefined, target: Target): WaveSize {
  if (text === undefined) return target === 'gfx700' ? 64 : 32;
  if (text === '64') return 64;
  if (text !== '32') return usage(`--wave: '${text}' is neither 32 nor 64`);
  return target === 'gfx700' ? usage('--wave: gfx700 has waves of 64 only') : 32;
}

export function parseVec3(text: string, what: string): Vec3 {
  const parts = text.split(',').map((part) => parseNumber(part, what));
  if (parts.length > 3 || parts.some((p) => p < 1 || p > 65535))
    usage(`${what}: '${text}' is not X[,Y[,Z]] of sizes from 1`);
  return [parts[0]!, parts[1] ?? 1, parts[2] ?? 1];
}

/** Commander hands every occurrence: collects them. */
export function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}
