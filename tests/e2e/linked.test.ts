/**
 * One selection: what is selected in the guest code, the SPIR-V or the graph is selected in all three with the frame that
 * follows the input. Looked at in the page itself, behind the first frame after the key or the click: no later one counts.
 * Two shaders: the sample, and one of 159 instructions and some thousand lines of SPIR-V, whose listings have to scroll.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { describeHosts, sharedWindow } from './support/hosts.ts';
import { graphLine, panel, ready } from './support/panels.ts';
import { ROOT, SAMPLE } from './support/window.ts';

const RECURSIVE = join(ROOT, 'resources', 'samples', 'calls-w64', 'k_recurse.lscap');

interface Shown {
  /** Address in the margin of the selected line of guest code. */
  readonly guest: string | null;
  /** Numbers of the selected lines in sight. */
  readonly spirv: readonly string[];
  /** Address of the selected line in the graph. */
  readonly graph: string | null;
}

/** Defines `shownSelection` in the page, and `afterFrame`, which is what it was behind the first frame after an input. */
async function watchSelection(page: Page): Promise<void> {
  await page.evaluate(() => {
    const numbersOf = (label: string): string[] => {
      const view = document.querySelector(`[aria-label="${label}"]`)?.closest('.code-view');
      const marks = [...(view?.querySelectorAll('.code-line--selected, .code-line--primary') ?? [])];
      const margins = [...(view?.querySelectorAll<HTMLElement>('.margin-view-overlays > div') ?? [])];
      return marks.map((mark) => {
        const top = (mark.parentElement as HTMLElement).style.top;
        return margins.find((line) => line.style.top === top)?.querySelector('.line-numbers')?.textContent ?? '';
      });
    };
    const shownSelection = (): Shown => {
      const line = document.querySelector<HTMLElement>('.cfg-line--selected');
      return {
        guest: numbersOf('Guest code')[0] ?? null,
        spirv: numbersOf('SPIR-V'),
        graph: line ? `0x${Number(line.dataset.address).toString(16)}` : null,
      };
    };
    const globals = globalThis as unknown as {
      shownSelection: () => Shown;
      afterFrame: Shown | null;
      watched: string;
    };
    globals.shownSelection = shownSelection;
    const onInput = (event: Event): void => {
      const isChord = event instanceof KeyboardEvent && event.key === 'Control';
      if (event.type !== globals.watched || isChord) return;
      globals.watched = '';
      // The frame's own callbacks, then the picture, then messages.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          globals.afterFrame = shownSelection();
        };
        port2.postMessage(0);
      });
    };
    for (const type of ['mousedown', 'click', 'keydown']) addEventListener(type, onInput, true);
  });
}

function selectedNow(page: Page): Promise<Shown> {
  return page.evaluate(() => (Reflect.get(globalThis, 'shownSelection') as () => Shown)());
}

/** What was selected behind the first frame after an input, which the page sees as an event of this type. */
async function selectedAfter(
  page: Page,
  watched: 'mousedown' | 'click' | 'keydown',
  input: () => Promise<void>,
): Promise<Shown> {
  await page.evaluate((type) => Object.assign(globalThis, { watched: type, afterFrame: null }), watched);
  await input();
  await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'afterFrame') !== null)).toBe(true);
  return page.evaluate(() => Reflect.get(globalThis, 'afterFrame') as Shown);
}

describeHosts((host) => {
  describe.each([
    { name: 'the sample', file: SAMPLE, lines: [/v_add_nc_u32_e32 v1, 5, v1/, /v_add_nc_u32_e32 v1, 64, v1/] },
    {
      name: 'a recursive shader',
      file: RECURSIVE,
      lines: [/v_mul_hi_i32 v0, 0x2aaaaaab/, /v_lshrrev_b32_e32 v1, 31, v0/],
    },
  ])('$name', ({ file, lines }) => {
    const window = sharedWindow(host, { file, width: 1700, height: 1000 }, async ({ page }) => {
      await ready(page);
      await panel(page, 'Shader').getByText('OpCapability').first().waitFor({ timeout: 30_000 });
      await watchSelection(page);
    });

    /** The same place in all three, and nothing is added later. */
    async function expectLinked(shown: Shown): Promise<void> {
      expect(shown.guest).toMatch(/^0x[0-9a-f]+$/);
      expect(shown.graph).toBe(shown.guest);
      expect(shown.spirv.length).toBeGreaterThan(0);
      await window().page.waitForTimeout(250);
      expect(await selectedNow(window().page)).toEqual(shown);
    }

    it('from the graph', async () => {
      const { page } = window();
      const places = new Set<string | null>();
      for (const text of lines) {
        const line = graphLine(page, text).first();
        const address = Number(await line.getAttribute('data-address'));
        const shown = await selectedAfter(page, 'click', () => line.click());
        expect(shown.guest).toBe(`0x${address.toString(16)}`);
        await expectLinked(shown);
        places.add(shown.guest);
      }
      expect(places.size).toBe(lines.length);
    });

    it('from the guest code, by key and by pointer', async () => {
      const { page } = window();
      await graphLine(page, lines[0]!).first().click();
      const shader = panel(page, 'Shader');
      await shader.getByRole('textbox', { name: 'Guest code' }).focus();
      const start = await selectedNow(page);
      const below = await selectedAfter(page, 'keydown', () => page.keyboard.press('ArrowDown'));
      expect(below.guest).not.toBe(start.guest);
      expect(below.graph).toBe(below.guest);
      const back = await selectedAfter(page, 'keydown', () => page.keyboard.press('ArrowUp'));
      expect(back.guest).toBe(start.guest);
      await expectLinked(back);
      const box = (await shader.locator('.code-view').first().locator('.code-line--primary').boundingBox())!;
      await page.keyboard.press('ArrowDown');
      const shown = await selectedAfter(page, 'mousedown', () => page.mouse.click(box.x + 40, box.y + box.height / 2));
      expect(shown.guest).toBe(start.guest);
      await expectLinked(shown);
    });

    it('from the SPIR-V, by key and by pointer', async () => {
      const { page } = window();
      await graphLine(page, lines[0]!).first().click();
      const shader = panel(page, 'Shader');
      await shader.getByRole('textbox', { name: 'SPIR-V' }).focus();
      const start = await selectedNow(page);
      let reached: Shown | undefined;
      for (let i = 0; i < 80 && !reached; i++) {
        const shown = await selectedAfter(page, 'keydown', () => page.keyboard.press('ArrowDown'));
        expect(shown.spirv.length).toBeGreaterThan(0);
        expect(shown.graph).toBe(shown.guest);
        if (shown.guest !== null && shown.guest !== start.guest) reached = shown;
      }
      expect(reached).toBeDefined();
      await expectLinked(reached!);
      // The line that is selected now, from another place: all three follow the pointer.
      const marked = shader.locator('.code-view').nth(1).locator('.code-line--primary').first();
      const box = (await marked.boundingBox())!;
      const top = await selectedAfter(page, 'keydown', () => page.keyboard.press('Control+Home'));
      expect(top).toEqual({ guest: null, spirv: ['1'], graph: null });
      const shown = await selectedAfter(page, 'mousedown', () => page.mouse.click(box.x + 20, box.y + box.height / 2));
      expect(shown.graph).toBe(shown.guest);
      expect(shown.spirv.length).toBeGreaterThan(0);
    });
  });
});
