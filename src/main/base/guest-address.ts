/**
 * Guest addresses: 48 bits, kept as branded safe integers without the sign extension that registers carry.
 *
 * Code compiled by RADV uses 0xffff8000_xxxxxxxx; on input bits 63:48 are dropped (`canonicalAddress`), and a 64-bit
 * register value is made by sign-extending bit 47 (`addressHigh32`).
 */
export type GuestAddress = number & { readonly __brand: 'GuestAddress' };

export const ADDRESS_LIMIT = 2 ** 48;

/** From the two halves of a 64-bit register value; bits 63:48 are dropped. */
export function addressFromHalves(low32: number, high32: number): GuestAddress {
  return ((high32 & 0xffff) * 2 ** 32 + (low32 >>> 0)) as GuestAddress;
}

export function canonicalAddress(value: number | bigint): GuestAddress {
  if (typeof value === 'bigint') return Number(BigInt.asUintN(48, value)) as GuestAddress;
  return (((value % ADDRESS_LIMIT) + ADDRESS_LIMIT) % ADDRESS_LIMIT) as GuestAddress;
}

/** address + bytes, modulo 2^48. */
export function addToAddress(address: GuestAddress, bytes: number): GuestAddress {
  const sum = address + bytes;
  return (sum >= 0 && sum < ADDRESS_LIMIT ? sum : canonicalAddress(sum)) as GuestAddress;
}

export function addressLow32(address: GuestAddress): number {
  return (address % 2 ** 32) >>> 0;
}

/** Bits 63:32 of the 64-bit register value: sign-extended from bit 47. */
export function addressHigh32(address: GuestAddress): number {
  const high = Math.floor(address / 2 ** 32);
  return (high & 0x8000 ? high | 0xffff0000 : high) >>> 0;
}

export function formatAddress(address: GuestAddress): string {
  return `0x${address.toString(16)}`;
}
