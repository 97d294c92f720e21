/**
 * MEM_SEMAPHORE: a 64-bit counter in memory. Signal adds 1 (or writes 1); wait takes 1, and where there is none, only
 * another queue could bring one: reported and passed, memory unchanged.
 */
import { addToAddress, formatAddress } from '../../base/guest-address.ts';
import {
  address,
  addressAt,
  bits,
  EVERY_GENERATION,
  flag,
  type PacketDefinition,
  type PacketEffect,
} from './definition.ts';
import { loadU64, writeDword } from './places.ts';

const [SIGNAL, WAIT] = [6, 7];

export const MEM_SEMAPHORE: PacketDefinition = {
  name: 'MEM_SEMAPHORE',
  opcode: 0x39,
  generations: EVERY_GENERATION,
  body: [2, 2],
  fields: [
    address('ADDRESS', 0, { alignBits: 3 }),
    flag('USE_MAILBOX', 1, 16),
    bits('SIGNAL_TYPE', 1, 20, 1, { values: { 0: 'INCREMENT', 1: 'WRITE_1' } }),
    bits('CLIENT_CODE', 1, 24, 2, { values: { 0: 'CP', 1: 'CB', 2: 'DB' } }),
    bits('SEM_SEL', 1, 29, 3, { values: { 6: 'SIGNAL', 7: 'WAIT' } }),
  ],
  execute({ body }, context): PacketEffect {
    const at = addressAt(body, 0, 3);
    const select = body[1]! >>> 29;
    if (select !== SIGNAL && select !== WAIT) {
      const message = `MEM_SEMAPHORE selection ${select} is reserved; not executed`;
      context.report('PM4012', 'unsupported', message);
      return { kind: 'unsupported', summary: message };
    }
    const value = loadU64(context.memory, at);
    if (value === undefined) {
      context.report('PM4010', 'fault', `MEM_SEMAPHORE: memory at ${formatAddress(at)} is not readable`);
      return { kind: 'wait', summary: 'semaphore is not readable', satisfied: false };
    }
    const store = (next: bigint) => {
      writeDword(context, { kind: 'memory', address: at }, Number(next & 0xffffffffn), 'MEM_SEMAPHORE');
      writeDword(context, { kind: 'memory', address: addToAddress(at, 4) }, Number(next >> 32n), 'MEM_SEMAPHORE');
    };
    const summary = `semaphore at ${formatAddress(at)} holds ${value}`;
    if (select === SIGNAL) {
      store(body[1]! & (1 << 20) ? 1n : BigInt.asUintN(64, value + 1n));
      return { kind: 'sync', summary: `signals: ${summary}`, written: [{ address: at, sizeBytes: 8 }] };
    }
    if (value > 0n) store(value - 1n);
    else
      context.report(
        'PM4015',
        'warning',
        `waits for a semaphore that nothing in this queue signals: ${summary}; passed`,
      );
    return { kind: 'wait', summary, satisfied: value > 0n };
  },
};
