/**
 * Builds command streams for tests, from the packet layouts of the kernel's nvd.h: header = 3 << 30 | (body − 1) << 16 |
 * opcode << 8 | compute << 1. Written apart from src/main/pm4, so that a mistake there is not repeated here.
 */
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { GuestMemory, READ, WRITE } from '../../../src/main/base/guest-memory.ts';

export function type3(opcode: number, ...body: number[]): number[] {
  return [(0xc0000000 | ((body.length - 1) << 16) | (opcode << 8)) >>> 0, ...body.map((v) => v >>> 0)];
}

export function compute3(opcode: number, ...body: number[]): number[] {
  const [header, ...rest] = type3(opcode, ...body);
  return [header! | 2, ...rest].map((v) => v >>> 0);
}

/** SET_SH_REG of an absolute dword address. */
export function setSh(register: number, ...values: number[]): number[] {
  return compute3(0x76, register - 0x2c00, ...values);
}

export function gnmMarker(operation: number, text?: string): number[] {
  const bytes = text === undefined ? [] : [...new TextEncoder().encode(text), 0];
  while (bytes.length % 4 !== 0) bytes.push(0);
  const words: number[] = [];
  for (let i = 0; i < bytes.length; i += 4) {
    words.push((bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)) >>> 0);
  }
  return type3(0x10, operation, ...words);
}

export function low(address: number): number {
  return address % 2 ** 32;
}

export function high(address: number): number {
  return Math.floor(address / 2 ** 32);
}

export function indirectBuffer(address: number, dwords: number, control = 0): number[] {
  return type3(0x3f, low(address), high(address), dwords | (1 << 23) | control);
}

/** Memory with each buffer mapped, readable and writable, at its address. */
export function memoryWith(buffers: Readonly<Record<number, readonly number[]>>): GuestMemory {
  const memory = new GuestMemory();
  for (const [key, words] of Object.entries(buffers)) {
    const address = Number(key) as GuestAddress;
    memory.map(address, Math.max(4, 4 * words.length), READ | WRITE);
    words.forEach((w, i) => {
      memory.storeU32((address + 4 * i) as GuestAddress, w);
    });
  }
  return memory;
}

export function at(address: number): GuestAddress {
  return address as GuestAddress;
}
