/**
 * The first dword of a packet.
 *
 *   31:30 type   type 3: 29:16 body dwords − 1, 15:8 opcode, 1 shader type (1 = compute), 0 predicate
 *                type 2: one-dword filler        type 0: 29:16 registers − 1, 15:0 first register
 *
 * A NOP whose count field is 0x3FFF (0xFFFF1000) is one dword long, not 16,384: that is how rings and indirect buffers
 * are padded. Source: PACKET0/2/3 in the kernel's nvd.h, facts about padding from public drivers.
 */
export const PACKET_NOP = 0x10;
const ONE_DWORD_COUNT = 0x3fff;

export type PacketType = 0 | 1 | 2 | 3;

export function headerType(header: number): PacketType {
  return (header >>> 30) as PacketType;
}

export function headerOpcode(header: number): number {
  return (header >>> 8) & 0xff;
}

/** Dwords after the header that a type-0 or type-3 header announces. */
export function headerBodyDwords(header: number): number {
  const count = (header >>> 16) & 0x3fff;
  if (headerType(header) === 3 && count === ONE_DWORD_COUNT && headerOpcode(header) === PACKET_NOP) return 0;
  return count + 1;
}

/** Bit 0: the packet is skipped while predication says no. */
export function headerIsPredicated(header: number): boolean {
  return headerType(header) === 3 && (header & 1) !== 0;
}

export function headerIsCompute(header: number): boolean {
  return headerType(header) === 3 && (header & 2) !== 0;
}

/** Bits 7:3 are reserved; bit 2 resets the filter cache on gfx10. */
export function headerHasReservedBits(header: number): boolean {
  return (header & 0xf8) !== 0;
}

export function packHeader(opcode: number, bodyDwords: number, compute = false): number {
  return ((3 << 30) | ((bodyDwords - 1) << 16) | (opcode << 8) | (compute ? 2 : 0)) >>> 0;
}
