/**
 * The generated register tables against facts that were taken from the headers and from public documents by hand.
 */
import { describe, expect, it } from 'vitest';
import { TARGETS } from '../../../src/main/base/dispatch.ts';
import {
  allRegisters,
  bitsOf,
  decodeFields,
  registerAt,
  registerByName,
  registerInSpace,
  registerName,
} from '../../../src/main/pm4/registers/register-table.ts';
import { REGISTER_SPACES, spaceOf } from '../../../src/main/pm4/registers/spaces.ts';

describe('register tables', () => {
  it.each(TARGETS)('%s: compute registers stand where dispatches need them', (target) => {
    const places: Record<string, number> = {
      COMPUTE_DISPATCH_INITIATOR: 0x2e00,
      COMPUTE_START_X: 0x2e04,
      COMPUTE_NUM_THREAD_X: 0x2e07,
      COMPUTE_PGM_LO: 0x2e0c,
      COMPUTE_PGM_HI: 0x2e0d,
      COMPUTE_PGM_RSRC1: 0x2e12,
      COMPUTE_PGM_RSRC2: 0x2e13,
      COMPUTE_RESOURCE_LIMITS: 0x2e15,
      COMPUTE_TMPRING_SIZE: 0x2e18,
      COMPUTE_USER_DATA_0: 0x2e40,
      COMPUTE_USER_DATA_15: 0x2e4f,
      SPI_SHADER_PGM_LO_PS: 0x2c08,
      DB_RENDER_CONTROL: 0xa000,
      SPI_BARYC_CNTL: 0xa1b8,
      VGT_PRIMITIVE_TYPE: 0xc242,
    };
    for (const [name, index] of Object.entries(places)) {
      expect(registerByName(target, name)?.index, name).toBe(index);
      expect(registerAt(target, index)?.name, name).toBe(name);
    }
  });

  it('RSRC3 exists on gfx10 only', () => {
    expect(registerByName('gfx700', 'COMPUTE_PGM_RSRC3')).toBeUndefined();
    expect(registerByName('gfx1013', 'COMPUTE_PGM_RSRC3')?.index).toBe(0x2e28);
    expect(registerByName('gfx1030', 'COMPUTE_PGM_RSRC3')?.index).toBe(0x2e28);
  });

  it('shows the name that gfx7 has where an address has several', () => {
    expect(registerAt('gfx1013', 0x2e16)?.name).toBe('COMPUTE_STATIC_THREAD_MGMT_SE0');
    expect(registerByName('gfx1013', 'COMPUTE_DESTINATION_EN_SE0')?.index).toBe(0x2e16);
  });

  it('decodes fields', () => {
    const rsrc2 = registerByName('gfx1013', 'COMPUTE_PGM_RSRC2')!;
    // SCRATCH_EN, 5 user SGPRs, TGID_X, two local ids, LDS 7 granules.
    const value = 1 | (5 << 1) | (1 << 7) | (1 << 11) | (7 << 15);
    const fields = Object.fromEntries(decodeFields(rsrc2, value).map((f) => [f.name, f.value]));
    expect(fields).toMatchObject({ SCRATCH_EN: 1, USER_SGPR: 5, TGID_X_EN: 1, TIDIG_COMP_CNT: 1, LDS_SIZE: 7 });
    const baryc = registerByName('gfx1013', 'SPI_BARYC_CNTL')!;
    expect(decodeFields(baryc, 1 << 24).find((f) => f.name === 'FRONT_FACE_ALL_BITS')?.value).toBe(1);
  });

  it.each(TARGETS)(
    '%s: every register is in its space, every field inside its dword, no two fields overlap twice',
    (target) => {
      const all = allRegisters(target);
      expect(all.length).toBeGreaterThan(1500);
      for (const r of all) {
        const { first, end } = REGISTER_SPACES[r.space];
        expect(r.index >= first && r.index < end, r.name).toBe(true);
        expect(registerInSpace(target, r.space, r.index - first)).toBe(r);
        for (const f of r.fields) expect(f.width >= 1 && f.shift + f.width <= 32, `${r.name}.${f.name}`).toBe(true);
      }
    },
  );

  it('names what has no name by space and number', () => {
    expect(registerName('gfx700', 0x2c3f)).toBe('sh[0x3f]');
    expect(registerName('gfx700', 0x12)).toBe('register[0x12]');
    expect(spaceOf(0x2bff)).toBe('config');
    expect(spaceOf(0xa400)).toBeUndefined();
  });

  it('bitsOf handles whole words and the top bit', () => {
    expect(bitsOf(0xffffffff | 0, 0, 32)).toBe(0xffffffff);
    expect(bitsOf(0x80000000, 31, 1)).toBe(1);
    expect(bitsOf(0xdeadbeef, 8, 16)).toBe(0xadbe);
  });
});
