/**
 * The window by keyboard alone, and what an accessibility checker finds: no serious or critical finding in any panel, in
 * the dark and in the light theme.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeHosts, sharedWindow } from './support/hosts.ts';
import { loseDevice } from './support/lose-device.ts';
import {
  everyLane,
  lanesBecome,
  linkStatus,
  panel,
  ready,
  refusalShown,
  selectedLines,
  show,
} from './support/panels.ts';
import { openWindow, SAMPLE, screenshot, type TestWindow, UNMAPPED } from './support/window.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious and critical findings, each with the elements concerned. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations)',
  )) as Finding[];
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 160)} ${n.failureSummary.split('\n')[1] ?? ''}`));
}

/** Ctrl+O, and the file in the dialog of the system, which is not ours to test. */
async function openByKey({ page, app }: TestWindow, file: string): Promise<void> {
  if (app) {
    await app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    }, file);
    await page.keyboard.press('Control+o');
  } else {
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+o');
    await (await chooser).setFiles(file);
  }
}

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let i = 0; i < 150; i++) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => {
      const e = document.activeElement;
      return e?.getAttribute('aria-label') ?? e?.textContent ?? '';
    });
    if (focused.trim() === name) return;
  }
  throw new Error(`${key} does not reach ${name}`);
}

describeHosts((host) => {
  const window = sharedWindow(host, { file: SAMPLE }, async ({ page }) => {
    // Kept, so that the driver takes file dialogs from now on; it does not wait until it does.
    page.on('filechooser', () => {});
    await ready(page);
  });

  it.each(['dark', 'light'] as const)('has no serious finding in the %s theme', async (theme) => {
    const { page } = window();
    await page.emulateMedia({ colorScheme: theme });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
    expect(await findings(page)).toEqual([]);
    await (await show(page, 'State')).getByRole('heading', { name: 'User SGPRs' }).waitFor();
    await (await show(page, 'Log')).locator('.log-row').first().waitFor();
    expect(await findings(page)).toEqual([]);
    await show(page, 'PM4');
    await show(page, 'Lanes');
    await panel(page, 'Lanes').getByRole('button', { name: 'Registers' }).click();
    await page.getByRole('button', { name: 'Panels' }).click();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel(page, 'Lanes').getByRole('button', { name: 'Outputs' }).click();
    await page.keyboard.press('Control+/');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu', { name: 'Event' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('is worked by keyboard alone', async () => {
    const { page } = window();
    const { keyboard } = page;
    // Events: to the first dispatch, from the top.
    await keyboard.press('Alt+1');
    await keyboard.press('Home');
    const status = page.getByRole('status', { name: 'Selected event' });
    for (let i = 0; i < 4; i++) await keyboard.press('ArrowDown');
    await expect.poll(() => status.innerText()).toMatch(/Event\s+3\s+of[\s\S]*DISPATCH_DIRECT/);
    await lanesBecome(page, everyLane(207));
    // A group is closed and opened again.
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowLeft');
    const active = panel(page, 'Events').locator('[aria-selected="true"]');
    expect(await active.getAttribute('aria-expanded')).toBe('false');
    await keyboard.press('ArrowRight');
    expect(await active.getAttribute('aria-expanded')).toBe('true');
    await keyboard.press('Control+Shift+ArrowRight');
    // Graph: to the first instruction of the second block, seen in the guest code and the SPIR-V.
    await panel(page, 'CFG').locator('.cfg-card').first().waitFor();
    await keyboard.press('Alt+5');
    await keyboard.press('PageDown');
    await keyboard.press('PageDown');
    await expect
      .poll(() => selectedLines(page, 'Guest code'))
      .toEqual([expect.stringMatching(/^s_mov_b64 s\[10:11\], s\[0:1\]/)]);
    await keyboard.press('ArrowDown');
    await expect.poll(() => linkStatus(page)).toMatch(/^0x10000000c ↔/);
    // Guest code: the cursor is where the selection is, and moves it.
    await keyboard.press('Alt+4');
    await keyboard.press('ArrowUp');
    await expect.poll(() => linkStatus(page)).toMatch(/^0x100000008/);
    // Packets: open the first.
    await keyboard.press('Alt+2');
    await keyboard.press('Home');
    await keyboard.press('Enter');
    const first = panel(page, 'PM4').getByRole('treeitem').first();
    expect(await first.getAttribute('aria-expanded')).toBe('true');
    // Lanes: the grid's cell, and its text in the line below.
    await keyboard.press('Alt+6');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await expect.poll(() => panel(page, 'Lanes').locator('.lanes__foot').innerText()).toContain('lane 2 of wave 0');
    // A menu: theme, and away without choosing.
    await page.getByRole('button', { name: 'Theme' }).focus();
    await keyboard.press('Enter');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    expect(await page.locator(':focus').innerText()).toBe('Light');
    await keyboard.press('Escape');
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Theme');
    // The next group of panels, and back.
    await keyboard.press('Alt+1');
    await keyboard.press('F6');
    expect(
      await page.evaluate(() => document.activeElement?.closest('[data-panel]')?.getAttribute('data-panel')),
    ).not.toBe('events');
    await keyboard.press('Shift+F6');
    expect(await page.evaluate(() => document.activeElement?.closest('[data-panel]')?.getAttribute('data-panel'))).toBe(
      'events',
    );
  });

  it('opens, reads a refused shader, and runs again after the device is lost, by keyboard alone', async ({ skip }) => {
    const { page } = window();
    const { keyboard } = page;
    await openByKey(window(), UNMAPPED);
    await refusalShown(page);
    await keyboard.press('Alt+4');
    await tabTo(page, '0x100000014', 'Shift+Tab');
    await keyboard.press('Enter');
    await expect.poll(async () => (await selectedLines(page, 'Guest code'))[0]).toMatch(/^s_swappc_b64/);
    await openByKey(window(), SAMPLE);
    await lanesBecome(page, everyLane(207));
    const vulkan = panel(page, 'Lanes').getByRole('button', { name: 'Vulkan' });
    if ((await vulkan.getAttribute('aria-disabled')) === 'true') skip('no Vulkan device here');
    await keyboard.press('Alt+6');
    await tabTo(page, 'Vulkan', 'Shift+Tab');
    await keyboard.press('Enter');
    await panel(page, 'Lanes')
      .getByText(/prepared shader/)
      .waitFor();
    await loseDevice(window());
    await tabTo(page, 'Run again', 'Tab');
    await keyboard.press('Enter');
    await lanesBecome(page, everyLane(195));
    await tabTo(page, 'Reference', 'Shift+Tab');
    await keyboard.press('Enter');
    await lanesBecome(page, everyLane(195));
  });

  it('reaches every control with Tab, and none keeps the focus', async () => {
    const { page } = window();
    await page.getByRole('button', { name: 'Open', exact: true }).focus();
    const seen = new Set<string>();
    for (let i = 0; i < 150; i++) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const e = document.activeElement as HTMLElement | null;
        return e === document.body || !e
          ? ''
          : `${e.closest('[data-panel]')?.getAttribute('data-panel') ?? 'frame'}: ${e.getAttribute('aria-label') ?? e.textContent?.slice(0, 30)}`;
      });
      if (name === '' && i > 5) break;
      seen.add(name);
    }
    const panels = new Set([...seen].map((name) => name.split(':')[0]));
    expect([...panels].sort()).toEqual(expect.arrayContaining(['cfg', 'events', 'frame', 'lanes', 'pm4', 'shader']));
    expect([...seen]).toEqual(
      expect.arrayContaining(['events: Events', 'pm4: Packets of the event', 'lanes: Output by lane']),
    );
  });

  it('says why a control is disabled', async () => {
    const { page } = window();
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('Home');
    const previous = page.getByRole('button', { name: 'Previous event' });
    expect(await previous.getAttribute('aria-disabled')).toBe('true');
    expect(await previous.getAttribute('title')).toBe('there is no event before this one');
    await page.keyboard.press('Control+Shift+ArrowRight');
  });

  it('has no serious finding on a refused shader', async () => {
    const refused = await openWindow(host, { file: UNMAPPED });
    try {
      await refusalShown(refused.page);
      expect(await findings(refused.page)).toEqual([]);
      await refused.page.emulateMedia({ colorScheme: 'light' });
      expect(await findings(refused.page)).toEqual([]);
      await screenshot(refused, 'refused-light');
    } finally {
      await refused.close();
    }
  });

  it('has no serious finding when nothing is open', async () => {
    const empty = await openWindow(host);
    try {
      await empty.page.getByRole('button', { name: 'Open the sample' }).waitFor({ timeout: 30_000 });
      expect(await findings(empty.page)).toEqual([]);
      await screenshot(empty, 'welcome');
      await empty.page.getByRole('button', { name: 'Open the sample' }).click();
      await lanesBecome(empty.page, everyLane(207));
    } finally {
      await empty.close();
    }
  });
});
