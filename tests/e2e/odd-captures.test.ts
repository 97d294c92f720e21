/**
 * Captures that have little to show, or something wrong: every panel says what it can. Words of instructions are from
 * llvm-mc for gfx1013.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dropBytes } from './support/drop.ts';
import { describeHosts, sharedWindow } from './support/hosts.ts';
import { everyLane, laneValues, panel, registerRow, selectedLines, show } from './support/panels.ts';
import { emptyCapture, smallCapture } from './support/small-capture.ts';
import { SAMPLE, screenshot } from './support/window.ts';

const END = 0xbf810000;
/** v_mov_b32 v1, 7 */
const SEVEN = 0x7e020287;
/** v_mov_b32 v2, 0x12345678; v_mov_b32 v3, 0x77; global_store_dword v[2:3], v1, off */
const WILD_STORE = [0x7e0402ff, 0x12345678, 0x7e0602ff, 0x77, 0xdc708000, 0x007d0102];
/** v_add_nc_u32 v1, 5, v0; buffer_store_dword v1, v0, s[4:7], 0 idxen */
const STORE_ID_PLUS_FIVE = [0x4a020085, 0xe0702000, 0x80010100];

describeHosts((host) => {
  const window = sharedWindow(host, { file: SAMPLE });

  /** Opens it and waits until the window shows it. */
  async function open(name: string, bytes: Uint8Array): Promise<void> {
    const { page } = window();
    await dropBytes(page, `${name}.lscap`, bytes);
    await page.getByRole('contentinfo').getByText(`${name}.lscap`).waitFor();
  }

  it('nothing was submitted: every panel says so, and the bars are there', async () => {
    const { page } = window();
    await open('empty', emptyCapture());
    for (const name of ['Events', 'PM4', 'Shader', 'CFG', 'Lanes'])
      await panel(page, name).getByText('The capture has no events.').waitFor();
    expect(await page.getByRole('button', { name: 'Next event' }).getAttribute('title')).toBe(
      'there is no event after this one',
    );
    await screenshot(window(), 'empty-capture');
  });

  it('a file that is cut off: what is left of it is shown, with what is missing', async () => {
    const { page } = window();
    const whole = readFileSync(SAMPLE);
    await open('cut', whole.subarray(0, whole.length - 6000));
    // The command buffer is among what is missing: the one event says so, and is selected.
    const selected = panel(page, 'Events').locator('[aria-selected="true"]');
    await expect.poll(() => selected.innerText()).toMatch(/submit 0 at 0x400000000 .*is not readable/);
    await panel(page, 'Shader').getByText('The capture has no dispatches.').waitFor();
    await page.getByRole('button', { name: /damaged: 2 problems/ }).click();
    await expect.poll(() => panel(page, 'Log').innerText()).toMatch(/CAP007.*0x400000000/);
    await screenshot(window(), 'cut-capture');
    await show(page, 'Lanes');
  });

  it('a dispatch without output', async () => {
    const { page } = window();
    await open('silent', smallCapture('silent', { words: [SEVEN, END] }));
    const lanes = panel(page, 'Lanes');
    await lanes.getByText('The dispatch wrote no memory.').waitFor();
    await lanes.getByRole('button', { name: 'Registers' }).click();
    const row = registerRow(page, 'v1');
    await expect.poll(() => row.getByRole('gridcell').allInnerTexts()).toEqual(everyLane(7));
    await lanes.getByRole('button', { name: 'Outputs' }).click();
  });

  it('values that are not those expected are marked, with both', async () => {
    const { page } = window();
    const expected = Array.from({ length: 64 }, (_, i) => (i === 3 || i === 10 ? 1000 + i : i + 5));
    await open('differs', smallCapture('differs', { words: [...STORE_ID_PLUS_FIVE, END], expected }));
    const lanes = panel(page, 'Lanes');
    await lanes.getByText('2 of 64 words differ', { exact: true }).waitFor();
    const marked = lanes.locator('.grid__cell--differs');
    expect(await marked.allInnerTexts()).toEqual(['8', '15']);
    expect(await marked.first().getAttribute('aria-label')).toBe('8, other 1003');
    await marked.first().click();
    expect(await lanes.locator('.lanes__foot').innerText()).toMatch(/lane 3 of wave 0 · 8 · expected 1003$/);
    expect((await laneValues(page))[63]).toBe('68');
    await screenshot(window(), 'differs');
  });

  it('a fault is one message for all lanes, and marked at its instruction', async () => {
    const { page } = window();
    await open('fault', smallCapture('fault', { words: [SEVEN, ...WILD_STORE, END] }));
    const messages = panel(page, 'Lanes').getByRole('list', { name: 'Why the run did not complete' });
    await messages.waitFor();
    const items = messages.getByRole('listitem');
    expect(await items.count()).toBe(1);
    expect(await items.innerText()).toMatch(/at 0x100000014: write to unmapped memory \(guest address 0x7712345678\)/);
    await messages.getByRole('button', { name: /more like it/ }).click();
    expect(await items.innerText()).toMatch(/lane 1 of wave 0/);
    await expect.poll(() => panel(page, 'CFG').locator('.cfg-line--fault').innerText()).toMatch(/^global_store_dword/);
    await messages.getByRole('button', { name: '0x100000014' }).first().click();
    await expect
      .poll(async () => (await selectedLines(page, 'Guest code'))[0])
      .toMatch(/^global_store_dword v\[2:3\], v1, off/);
    expect(await panel(page, 'Shader').locator('.code-line--problem').count()).toBe(1);
    await screenshot(window(), 'fault');
  });

  it('an instruction that is none has a line with its message, in listing and graph', async () => {
    const { page } = window();
    await open('illegal', smallCapture('illegal', { words: [SEVEN, 0xd7ff0000, 0, END] }));
    const message = panel(page, 'Shader').getByRole('list', { name: 'Messages about this shader' });
    await message.getByText(/illegal instruction 0xd7ff0000/).waitFor();
    await message.getByRole('button', { name: '0x100000004' }).click();
    await expect.poll(async () => (await selectedLines(page, 'Guest code'))[0]).toMatch(/^; CFG001: .*0xd7ff0000/);
    await panel(page, 'CFG').locator('.cfg-problem.cfg-line--selected').waitFor();
    await panel(page, 'Shader').getByText('v_mov_b32_e32').first().waitFor();
    await screenshot(window(), 'illegal');
  });

  it('complains about nothing', () => {
    expect(window().complaints).toEqual([]);
  });
});
