/**
 * What a user does with the sample, in Electron and in a browser: open, step, look at one place in all panels, run on
 * both engines, lose the device, open by dropping. Numbers come from the sample's definition: three turns of add 5 and
 * add 64 give 207, with the first callee replaced by add 1 they give 195; pointers both to the first give 30.
 */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { dropBytes, dropFile } from './support/drop.ts';
import { describeHosts, sharedWindow } from './support/hosts.ts';
import { loseDevice } from './support/lose-device.ts';
import {
  eventRow,
  everyLane,
  graphLine,
  lanesBecome,
  laneValues,
  linkStatus,
  panel,
  ready,
  refusalShown,
  registerRow,
  selectedLines,
  show,
} from './support/panels.ts';
import { SAMPLE, screenshot, UNMAPPED } from './support/window.ts';

describeHosts((host) => {
  const window = sharedWindow(host, { file: SAMPLE });

  it('opens the sample and shows its dispatches, code, graph and 207 in 64 lanes', async () => {
    const { page } = window();
    await lanesBecome(page, everyLane(207));
    expect(await eventRow(page, 'DISPATCH_DIRECT').count()).toBeGreaterThanOrEqual(5);
    const cfg = panel(page, 'CFG');
    expect(await cfg.locator('.cfg-region').count()).toBe(2);
    expect(await cfg.locator('.cfg-region').allInnerTexts()).toEqual([
      expect.stringMatching(/add5[\s\S]*user data s\[0:1\]/),
      expect.stringMatching(/add64[\s\S]*user data s\[2:3\]/),
    ]);
    expect(await cfg.locator('.react-flow__edge .cfg-edge--call').count()).toBe(2);
    expect(await cfg.locator('.react-flow__edge .cfg-edge--return').count()).toBe(2);
    const packets = panel(page, 'PM4').getByRole('treeitem');
    const listed = (await packets.allInnerTexts()).join('\n');
    expect(listed).toMatch(/SET_SH_REG[\s\S]*DISPATCH_DIRECT[\s\S]*DIM_X/);
    const shader = panel(page, 'Shader');
    await shader.getByText('s_swappc_b64').first().waitFor();
    await shader.getByText('OpCapability').first().waitFor();
    await screenshot(window(), 'opened');
  });

  it('selects one place in the graph, the guest code and the SPIR-V', async () => {
    const { page } = window();
    // Everywhere within one frame: the click's own, and the one that draws it.
    await graphLine(page, /v_add_nc_u32_e32 v1, 5, v1/).evaluate(async (line: HTMLElement) => {
      line.click();
      for (let frame = 0; frame < 2; frame++) await new Promise((done) => requestAnimationFrame(done));
    });
    expect(await selectedLines(page, 'Guest code')).toEqual([expect.stringMatching(/^v_add_nc_u32_e32 v1, 5, v1/)]);
    const lines = await selectedLines(page, 'SPIR-V');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.includes('OpIAdd'))).toBe(true);
    expect(await linkStatus(page)).toMatch(/^0x200000000 ↔ \d+ SPIR-V line/);
    // Back from the SPIR-V to the card.
    await graphLine(page, /s_sub_u32/).click();
    expect(await panel(page, 'CFG').locator('.cfg-card--selected').getAttribute('data-block')).toBe('3');
    await screenshot(window(), 'selected');
  });

  it('says so where a SPIR-V line comes from no guest instruction', async () => {
    const { page } = window();
    const shader = panel(page, 'Shader');
    await shader.getByRole('textbox', { name: 'SPIR-V' }).focus();
    await page.keyboard.press('Control+Home');
    await expect.poll(() => linkStatus(page)).toBe('SPIR-V line 1 comes from no guest instruction');
    await expect.poll(() => selectedLines(page, 'SPIR-V')).toEqual(['OpCapability Shader']);
    expect(await selectedLines(page, 'Guest code')).toEqual([]);
  });

  it('finds in the graph, folds a region and opens it again', async () => {
    const { page } = window();
    const cfg = panel(page, 'CFG');
    await cfg.getByRole('searchbox').fill('s_setpc');
    await cfg.getByText('2 found').waitFor();
    expect(await cfg.locator('.cfg-line--found').count()).toBe(2);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => selectedLines(page, 'Guest code'))
      .toEqual([expect.stringMatching(/^s_setpc_b64 s\[14:15\]/)]);
    await cfg.getByRole('searchbox').fill('');
    const region = cfg.getByRole('button', { name: /^Call region add5/ });
    await region.click();
    await expect.poll(() => cfg.locator('.cfg-card').count()).toBe(6);
    expect(await cfg.locator('.cfg-region--collapsed').innerText()).toMatch(/add5[\s\S]*1 block/);
    await region.click();
    await expect.poll(() => cfg.locator('.cfg-card').count()).toBe(7);
  });

  it('steps through events from any panel', async () => {
    const { page } = window();
    await panel(page, 'Shader').getByRole('textbox', { name: 'Guest code' }).focus();
    await page.keyboard.press('Control+ArrowRight');
    await expect.poll(() => page.getByRole('status', { name: 'Selected event' }).innerText()).toMatch(/WRITE_DATA/);
    await page.keyboard.press('Control+ArrowRight');
    await lanesBecome(page, everyLane(195));
    await page.keyboard.press('Control+Shift+ArrowRight');
    await lanesBecome(page, everyLane(30));
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await lanesBecome(page, everyLane(207));
    await screenshot(window(), 'stepped');
  });

  it('filters events and keeps what encloses them', async () => {
    const { page } = window();
    const events = panel(page, 'Events');
    await events.getByRole('searchbox').fill('write_data');
    await expect.poll(() => events.locator('.event-row--dispatch').count()).toBe(0);
    expect(await events.locator('.event-row--write').count()).toBeGreaterThanOrEqual(4);
    expect(await events.locator('.event-row--group').count()).toBeGreaterThan(0);
    await events.getByRole('searchbox').fill('');
    await expect.poll(() => events.locator('.event-row--dispatch').count()).toBeGreaterThan(4);
  });

  it('shows state, user data and what is known of it', async () => {
    const { page } = window();
    const packets = panel(page, 'PM4');
    await packets.getByRole('button', { name: 'Open all packets' }).click();
    await packets.getByRole('tree').evaluate((list) => {
      list.scrollTop = 300;
    });
    const state = await show(page, 'State');
    await expect.poll(() => state.innerText()).toMatch(/Wave size\s*64/);
    const text = await state.innerText();
    expect(text).toContain('s[0:1] → call target add5');
    expect(text).toContain('s[2:3] → call target add64');
    await state.getByRole('button', { name: /^Changed/ }).click();
    expect(await state.getByRole('row').filter({ hasText: 'COMPUTE_PGM_LO' }).innerText()).toContain('0x01000000');
    await screenshot(window(), 'state');
    const content = state.getByRole('group', { name: 'State, content' });
    await content.evaluate((element) => {
      element.scrollTop = 30;
    });
    expect(await content.evaluate((element) => element.scrollTop)).toBe(30);
    // A panel comes back as it was left.
    await show(page, 'PM4');
    await expect.poll(() => packets.getByRole('tree').evaluate((list) => list.scrollTop)).toBe(300);
    expect(await packets.getByRole('treeitem').first().isVisible()).toBe(true);
    await show(page, 'State');
    await expect.poll(() => content.evaluate((element) => element.scrollTop)).toBe(30);
    await show(page, 'PM4');
    await packets.getByRole('button', { name: 'Close all packets' }).click();
  });

  it('shows final registers by lane', async () => {
    const { page } = window();
    const lanes = panel(page, 'Lanes');
    await lanes.getByRole('button', { name: 'Registers' }).click();
    const row = registerRow(page, 'v1');
    await expect.poll(() => row.getByRole('gridcell').allInnerTexts()).toEqual(everyLane(207));
    // v0 is the local id: the lane's own number.
    const ids = registerRow(page, 'v0');
    expect(await ids.getByRole('gridcell').allInnerTexts()).toEqual(Array.from({ length: 64 }, (_, i) => String(i)));
    await lanes.getByRole('button', { name: 'Hex' }).click();
    expect((await row.getByRole('gridcell').first().innerText()).trim()).toBe('000000cf');
    await screenshot(window(), 'registers');
    const grid = lanes.getByRole('grid');
    await grid.evaluate((element) => {
      element.scrollLeft = 200;
    });
    await show(page, 'Log');
    await show(page, 'Lanes');
    await expect.poll(() => grid.evaluate((element) => element.scrollLeft)).toBe(200);
    await lanes.getByRole('button', { name: 'Unsigned' }).click();
    await lanes.getByRole('button', { name: 'Outputs' }).click();
  });

  it('runs on the device, survives its end, and says what happened', async ({ skip }) => {
    const { page } = window();
    const lanes = panel(page, 'Lanes');
    const vulkan = lanes.getByRole('button', { name: 'Vulkan' });
    if ((await vulkan.getAttribute('aria-disabled')) === 'true') skip('no Vulkan device here');
    await vulkan.click();
    await lanes.getByText(/prepared shader/).waitFor();
    await lanesBecome(page, everyLane(207));
    await lanes.getByRole('button', { name: 'Registers' }).click();
    const row = registerRow(page, 'v1');
    await expect.poll(() => row.getByRole('gridcell').allInnerTexts(), { timeout: 20_000 }).toEqual(everyLane(207));
    await lanes.getByRole('button', { name: 'Outputs' }).click();
    await loseDevice(window(), async () => {
      // The window goes on.
      await graphLine(page, /s_endpgm/).click();
      await expect.poll(() => selectedLines(page, 'Guest code')).toEqual(['s_endpgm']);
    });
    await screenshot(window(), 'device-lost');
    await lanes.getByRole('button', { name: 'Run again' }).click();
    await lanesBecome(page, everyLane(195));
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await lanesBecome(page, everyLane(207));
    await lanes.getByRole('button', { name: 'Reference' }).click();
    await lanesBecome(page, everyLane(207));
  });

  it('tells an instruction’s words on hover, and finds text in a listing', async () => {
    const { page } = window();
    const shader = panel(page, 'Shader');
    await shader.getByText('s_endpgm').first().hover();
    // s_endpgm, as the RDNA manual encodes it.
    const hover = page.locator('.monaco-hover');
    await hover.getByText('bf810000').waitFor();
    await hover.getByText('Ends the wave.').waitFor();
    await page.mouse.move(5, 5);
    await shader.getByRole('textbox', { name: 'SPIR-V' }).focus();
    await page.keyboard.press('Control+f');
    const find = shader.getByRole('textbox', { name: 'Find' });
    await find.waitFor();
    await page.keyboard.type('OpEntryPoint');
    await shader.getByText('1 of 1').waitFor();
    await page.keyboard.press('Escape');
  });

  /** What the clipboard holds. */
  async function copied(): Promise<string> {
    const { page, app } = window();
    if (app) return app.evaluate(({ clipboard }) => clipboard.readText());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    return page.evaluate(() => navigator.clipboard.readText());
  }

  it('copies from context menus what is under the pointer, and says so', async () => {
    const { page } = window();
    const choose = (label: string): Promise<void> => page.getByRole('menuitem', { name: label }).click();
    await eventRow(page, 'DISPATCH_DIRECT').first().click({ button: 'right' });
    await choose('Copy the row');
    await expect.poll(copied).toBe('3 DISPATCH_DIRECT 1 × 1 × 1 main');
    await expect
      .poll(() => page.getByRole('status', { name: 'Notice' }).innerText())
      .toBe('copied: 3 DISPATCH_DIRECT 1 × 1 × 1 main');
    await panel(page, 'PM4').getByText('DIM_X', { exact: true }).click({ button: 'right' });
    await choose('Copy the packet');
    // The packet as in the header of its buffer: PM4 type 3, opcode 0x15, then x, y, z.
    await expect
      .poll(copied)
      .toMatch(/^0x4000000d4 DISPATCH_DIRECT\n {2}DIM_X\t1\n[\s\S]*0x00000001 0x00000001 0x00000001/);
    await graphLine(page, /s_sub_u32/).click({ button: 'right' });
    await choose('Copy block b3');
    await expect
      .poll(copied)
      .toBe(
        'b3:\n  0x100000018  s_sub_u32 s8, s8, 1\n  0x10000001c  s_cmp_lg_u32 s8, 0\n  0x100000020  s_cbranch_scc1 65529',
      );
    await panel(page, 'Shader').getByText('s_endpgm').first().click({ button: 'right' });
    await choose('Copy the line');
    await expect.poll(copied).toBe('s_endpgm');
    await panel(page, 'Lanes').getByRole('gridcell').nth(5).click({ button: 'right' });
    await choose('Copy the value');
    await expect.poll(copied).toBe('207');
    // From the keyboard, for what is selected; Escape gives the focus back.
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu', { name: 'Event' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Events');
  });

  it('tells in full what is cut off', async () => {
    const { page } = window();
    const summary = panel(page, 'PM4').locator('.packet-row__summary').first();
    await summary.hover();
    await expect.poll(() => summary.getAttribute('title')).toBe(await summary.innerText());
  });

  it('copies results as tab-separated text', async () => {
    const { page } = window();
    await panel(page, 'Lanes').getByRole('grid').focus();
    await page.keyboard.press('Control+c');
    await expect.poll(copied).toMatch(/^address\tthread\tvalue\n0x300000000\t0\t207\n/);
  });

  it('compares with the other engine and with memory before', async () => {
    const { page } = window();
    const lanes = panel(page, 'Lanes');
    await lanes.getByLabel('Compare with').selectOption('before');
    await lanes.getByText('64 words changed').waitFor();
    expect(await lanes.locator('.grid__cell--differs').count()).toBe(64);
    await lanes.getByLabel('Compare with').selectOption('expected');
    await lanes.getByText('64 words equal').waitFor();
    expect(await lanes.locator('.grid__cell--differs').count()).toBe(0);
  });

  it('opens a capture that is dropped, and shows a refused shader with its message at its address', async () => {
    const { page } = window();
    await dropFile(window(), UNMAPPED);
    await refusalShown(page);
    const shader = panel(page, 'Shader');
    const message = shader.getByRole('list', { name: 'Messages about this shader' });
    expect(await message.innerText()).toMatch(/CALL001 at 0x100000014: .*0x500000000 is not readable/);
    // Everything else is there: code, graph with the callee that can be read, packets.
    await shader.getByText('buffer_store_dword').first().waitFor();
    const cfg = panel(page, 'CFG');
    await cfg.locator('.cfg-card--problem').waitFor();
    expect(await cfg.locator('.cfg-card--problem').innerText()).toContain('CALL001');
    expect(await cfg.locator('.cfg-region').count()).toBe(1);
    expect(await panel(page, 'Lanes').innerText()).toContain('refused, as expected');
    await message.getByRole('button', { name: '0x100000014' }).click();
    await expect
      .poll(async () => (await selectedLines(page, 'Guest code'))[0])
      .toMatch(/^s_swappc_b64 s\[14:15\], s\[10:11\]/);
    await screenshot(window(), 'refused');
  });

  it('says why a file cannot be opened and keeps what is open', async () => {
    const { page } = window();
    await dropBytes(page, 'damaged.lscap', new Uint8Array([1, 2, 3, 4]));
    const alert = page.getByRole('alert').filter({ hasText: 'could not be opened' });
    await alert.getByText(/CAP\d+/).waitFor();
    expect(await alert.innerText()).toContain('damaged.lscap could not be opened');
    expect(await page.getByRole('contentinfo').innerText()).toContain('call-unmapped.lscap');
    const shown = await show(page, 'Log');
    await expect.poll(() => shown.innerText()).toMatch(/CAP\d+/);
    await show(page, 'Lanes');
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    expect(await alert.count()).toBe(0);
  });

  it('finds the files that were opened before', async () => {
    const { page } = window();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const item = page.getByRole('menuitem', { name: /call-program\.lscap/ });
    await item.first().click();
    await lanesBecome(page, everyLane(207));
    expect((await laneValues(page)).length).toBe(64);
  });

  it('keeps a changed layout, and resets it', async () => {
    const { page } = window();
    await page.getByRole('button', { name: 'Panels' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'PM4' }).click();
    await expect.poll(() => panel(page, 'PM4').count()).toBe(0);
    // Written a moment after the last change.
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('lanescope.layout.1') ?? 'pm4'))
      .not.toContain('pm4');
    await page.reload();
    await ready(page);
    expect(await panel(page, 'PM4').count()).toBe(0);
    await page.getByRole('button', { name: 'Panels' }).click();
    await page.getByRole('menuitem', { name: 'Reset layout' }).click();
    await panel(page, 'PM4').waitFor();
  });

  it('has nothing to complain about', () => {
    expect(window().complaints).toEqual([]);
  });

  it('takes dropped files away when it is closed', async () => {
    // Folders of uploads, as the engine names them.
    const uploads = (): string[] => readdirSync(tmpdir()).filter((name) => /^lanescope-[A-Za-z0-9]{6}$/.test(name));
    expect(uploads().length).toBe(1);
    await window().close();
    expect(uploads()).toEqual([]);
  });
});
