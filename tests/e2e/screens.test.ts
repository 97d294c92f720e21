/**
 * The sample at two sizes and in both themes: pictures that are kept to be looked at, and what can be checked of them:
 * panels share the window without overlapping, the whole graph is in its panel, all 64 results are in sight.
 */
import { expect, it } from 'vitest';
import { describeHosts } from './support/hosts.ts';
import { everyLane, graphLine, lanesBecome, panel, ready } from './support/panels.ts';
import { openWindow, SAMPLE, screenshot } from './support/window.ts';

const SIZES = [
  [1400, 900],
  [2560, 1440],
] as const;
const PANELS = ['Events', 'PM4', 'Shader', 'CFG', 'Lanes'];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1;
}

function inside(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x - 1 &&
    inner.y >= outer.y - 1 &&
    inner.x + inner.width <= outer.x + outer.width + 1 &&
    inner.y + inner.height <= outer.y + outer.height + 1
  );
}

describeHosts((host) => {
  it.each(SIZES)('fits in %i × %i', async (width, height) => {
    const window = await openWindow(host, { file: SAMPLE, width, height });
    const { page } = window;
    try {
      await ready(page);
      await lanesBecome(page, everyLane(207));
      await graphLine(page, /v_add_nc_u32_e32 v1, 64, v1/).click();
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
        await page.waitForTimeout(300);
        await screenshot(window, `sample-${width}x${height}-${theme}`);
      }
      const whole: Box = { x: 0, y: 0, width, height };
      const boxes = await Promise.all(PANELS.map(async (name) => (await panel(page, name).boundingBox())!));
      boxes.forEach((box, i) => {
        expect(inside(box, whole), PANELS[i]).toBe(true);
        for (const other of boxes.slice(i + 1)) expect(overlap(box, other), PANELS[i]).toBe(false);
      });
      const graph = (await panel(page, 'CFG').locator('.react-flow').boundingBox())!;
      for (const card of await panel(page, 'CFG').locator('.cfg-card').all()) {
        expect(inside((await card.boundingBox())!, graph)).toBe(true);
      }
      const grid = (await panel(page, 'Lanes').getByRole('grid').boundingBox())!;
      for (const cell of await panel(page, 'Lanes').getByRole('gridcell').all()) {
        expect(inside((await cell.boundingBox())!, grid)).toBe(true);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= globalThis.innerWidth)).toBe(true);
    } finally {
      await window.close();
    }
  });
});
