/**
 * A capture of 50,000 events: the list is there, scrolls, and selecting never blocks input for more than 100 ms, as a
 * long-task observer in the page sees it. Other work on the machine may stretch a task, so the best of several rounds
 * counts; what really blocks does so in every round.
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeHosts, sharedWindow } from './support/hosts.ts';
import { largeCapture } from './support/large-capture.ts';
import { panel } from './support/panels.ts';
import { screenshot } from './support/window.ts';

const EVENTS = 50_000;
/** In the folder of this test file, which goes with it. */
const FILE = join(tmpdir(), 'large.lscap');
const MOST_MS = 100;
const ROUNDS = 6;

/** The longest task of the page's main thread while something is done. */
async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration);
    });
    observer.observe({ type: 'longtask' });
    Object.assign(globalThis, { longTasks: { tasks, observer } });
  });
  await work();
  return page.evaluate(async () => {
    await new Promise((done) => setTimeout(done, 100));
    const { tasks, observer } = (
      globalThis as unknown as { longTasks: { tasks: number[]; observer: PerformanceObserver } }
    ).longTasks;
    observer.disconnect();
    return Math.max(0, ...tasks);
  });
}

async function bestOf(page: Page, work: (round: number) => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && best > MOST_MS; round++)
    best = Math.min(best, await longestTask(page, () => work(round)));
  return best;
}

beforeAll(() => writeFileSync(FILE, largeCapture(EVENTS)));

describeHosts((host) => {
  const window = sharedWindow(host, { file: FILE }, async ({ page }) => {
    await panel(page, 'Events').getByRole('treeitem').first().waitFor({ timeout: 60_000 });
    await panel(page, 'CFG').locator('.cfg-card').first().waitFor({ timeout: 30_000 });
  });

  it('lists every event', async () => {
    const { page } = window();
    expect(await page.getByRole('contentinfo').innerText()).toMatch(/50,000 events/);
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('End');
    await panel(page, 'Events').getByRole('treeitem').filter({ hasText: 'WRITE_DATA' }).last().waitFor();
    expect(await panel(page, 'Events').locator('[aria-selected="true"] .event-row__index').innerText()).toBe('49998');
    await screenshot(window(), 'large');
  });

  it('scrolls without blocking', async () => {
    const { page } = window();
    const longest = await bestOf(page, async () => {
      await panel(page, 'Events')
        .getByRole('tree')
        .evaluate(async (list) => {
          for (let i = 0; i <= 60; i++) {
            list.scrollTop = (list.scrollHeight * ((i * 7) % 61)) / 61;
            await new Promise((done) => requestAnimationFrame(done));
          }
        });
    });
    expect(longest).toBeLessThanOrEqual(MOST_MS);
    // Wherever it stops, texts arrive.
    await expect.poll(() => panel(page, 'Events').locator('.event-row__name').filter({ hasText: '…' }).count()).toBe(0);
  });

  it('selects without blocking', async () => {
    const { page } = window();
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('Home');
    const longest = await bestOf(page, async () => {
      for (let i = 0; i < 25; i++) {
        await page.keyboard.press(i % 5 === 4 ? 'PageDown' : 'ArrowDown');
        await page.waitForTimeout(40);
      }
    });
    expect(longest).toBeLessThanOrEqual(MOST_MS);
    const far = await bestOf(page, async (round) => {
      await panel(page, 'Events')
        .getByRole('tree')
        .evaluate(
          (list, share) => {
            list.scrollTop = list.scrollHeight * share;
          },
          0.3 + 0.2 * round,
        );
      await panel(page, 'Events').locator('.event-row--dispatch').nth(5).click();
      await panel(page, 'Shader').getByText('v_mov_b32_e32').first().waitFor();
      await page.waitForTimeout(300);
    });
    expect(far).toBeLessThanOrEqual(MOST_MS);
  });

  it('asks before it runs thousands of dispatches, shows progress and can be stopped', async () => {
    const { page } = window();
    const lanes = panel(page, 'Lanes');
    await lanes.getByText(/dispatches before this one run first/).waitFor();
    await lanes.getByRole('button', { name: 'Run', exact: true }).click();
    const cancel = page.getByRole('button', { name: /^Cancel: Running on the reference/ });
    await cancel.waitFor();
    const longest = await longestTask(page, async () => {
      for (let i = 0; i < 10; i++) {
        await page.keyboard.press('Alt+1');
        await page.waitForTimeout(50);
      }
    });
    expect(longest).toBeLessThanOrEqual(2 * MOST_MS);
    // The list is still where it was.
    expect(await panel(page, 'Events').locator('[aria-selected="true"]').isVisible()).toBe(true);
    await screenshot(window(), 'progress');
    await cancel.click();
    await lanes.getByText('the run was cancelled').waitFor();
    // A dispatch with few before it runs by itself.
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Shift+ArrowRight');
    await lanes.getByText(/nothing to compare with/).waitFor();
  });

  it('finds among all events', async () => {
    const { page } = window();
    await panel(page, 'Events').getByRole('searchbox').fill('pass 4999');
    await expect
      .poll(() => panel(page, 'Events').locator('.event-row--group').allInnerTexts())
      .toEqual([expect.stringMatching(/pass 4999/)]);
  });
});
