/**
 * CLEAR_STATE, CONTEXT_CONTROL and CONTEXT_REG_RMW: whole-context operations.
 *
 * CLEAR_STATE gives the context registers the values that the kernel's clear-state buffer holds. CONTEXT_CONTROL
 * chooses what is loaded and shadowed when contexts switch, which a capture does not see, so it changes nothing.
 */
import { CLEAR_STATE_RUNS } from '../registers/clear-state.gen.ts';
import { REGISTER_SPACES } from '../registers/spaces.ts';
import { bits, EVERY_GENERATION, flag, type PacketDefinition, word } from './definition.ts';

const COMMANDS = { 0: 'CLEAR_STATE', 1: 'PUSH_STATE', 2: 'POP_STATE', 3: 'PUSH_CLEAR_STATE' };

export const CLEAR_STATE: PacketDefinition = {
  name: 'CLEAR_STATE',
  opcode: 0x12,
  generations: EVERY_GENERATION,
  body: [1, 1],
  fields: [bits('CMD', 0, 0, 4, { values: COMMANDS })],
  execute({ body }, context) {
    const command = body[0]! & 15;
    if (command !== 0) {
      const message = `CLEAR_STATE command ${COMMANDS[command as 1 | 2 | 3] ?? command} is not executed`;
      context.report('PM4018', 'unsupported', message);
      return { kind: 'unsupported', summary: message };
    }
    let count = 0;
    for (const [first, values] of CLEAR_STATE_RUNS[context.generation]) {
      values.forEach((value, i) => {
        context.writeRegister(first + i, value);
      });
      count += values.length;
    }
    return { kind: 'state', summary: `${count} context registers reset` };
  },
};

export const CONTEXT_CONTROL: PacketDefinition = {
  name: 'CONTEXT_CONTROL',
  opcode: 0x28,
  generations: EVERY_GENERATION,
  body: [2, 2],
  fields: [
    flag('LOAD_GLOBAL_CONFIG', 0, 0),
    flag('LOAD_PER_CONTEXT_STATE', 0, 1),
    flag('LOAD_GLOBAL_UCONFIG', 0, 15),
    flag('LOAD_GFX_SH_REGS', 0, 16),
    flag('LOAD_CS_SH_REGS', 0, 24),
    flag('LOAD_CE_RAM', 0, 28),
    flag('UPDATE_LOAD_ENABLES', 0, 31),
    flag('SHADOW_GLOBAL_CONFIG', 1, 0),
    flag('SHADOW_PER_CONTEXT_STATE', 1, 1),
    flag('SHADOW_GLOBAL_UCONFIG', 1, 15),
    flag('SHADOW_GFX_SH_REGS', 1, 16),
    flag('SHADOW_CS_SH_REGS', 1, 24),
    flag('UPDATE_SHADOW_ENABLES', 1, 31),
  ],
  execute: () => undefined,
};

const { first, end } = REGISTER_SPACES.context;
const registerOf = (body: Uint32Array) => first + (body[0]! & 0xffff);

export const CONTEXT_REG_RMW: PacketDefinition = {
  name: 'CONTEXT_REG_RMW',
  opcode: 0x51,
  generations: EVERY_GENERATION,
  body: [3, 3],
  fields: [bits('REG_OFFSET', 0, 0, 16), word('REG_MASK', 1), word('REG_DATA', 2)],
  check: (body) =>
    registerOf(body) < end ? undefined : 'CONTEXT_REG_RMW names a register past the end of the context space',
  execute({ body }, context) {
    const index = registerOf(body);
    const mask = body[1]!;
    context.writeRegister(index, (context.readRegister(index) & ~mask) | (body[2]! & mask));
    return undefined;
  },
};
