/** Which SPIR-V lines a guest address has, and what to say where there is no counterpart. Pure. */
import type { SpirvView } from '../../preload/contract/index.ts';
import { formatAddress } from './number-format.ts';

export type ReadySpirv = Extract<SpirvView, { readonly kind: 'ready' }>;

/** Lines (from 0) by guest address, ascending. */
export function linesByAddress(spirv: ReadySpirv): ReadonlyMap<number, readonly number[]> {
  const map = new Map<number, number[]>();
  spirv.address.forEach((address, line) => {
    if (address < 0) return;
    const list = map.get(address);
    if (list) list.push(line);
    else map.set(address, [line]);
  });
  return map;
}

/** One sentence about the selection in both listings. */
export function linkText(
  address: number | null,
  spirvLine: number | null,
  spirv: SpirvView | undefined,
  lines: ReadonlyMap<number, readonly number[]> | undefined,
): string {
  if (address === null) {
    if (spirvLine === null) return 'Select an instruction to see its counterpart';
    return `SPIR-V line ${spirvLine + 1} comes from no guest instruction`;
  }
  if (spirv?.kind !== 'ready') return `${formatAddress(address)}: no SPIR-V to show`;
  const count = lines?.get(address)?.length ?? 0;
  if (count === 0) return `${formatAddress(address)} has no SPIR-V of its own: it was folded or removed`;
  return `${formatAddress(address)} ↔ ${count} SPIR-V ${count === 1 ? 'line' : 'lines'}`;
}
