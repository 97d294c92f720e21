/** What tests look at in the panels, as a user would: roles, names and texts. */
import type { Locator, Page } from 'playwright-core';

export function panel(page: Page, name: string): Locator {
  return page.getByRole('tabpanel', { name, exact: true });
}

/** The panel with this title in front. */
export async function show(page: Page, name: string): Promise<Locator> {
  await page.locator('.dv-tab', { hasText: new RegExp(`^${name}$`) }).click();
  return panel(page, name);
}

export function eventRow(page: Page, text: string | RegExp): Locator {
  return panel(page, 'Events').getByRole('treeitem').filter({ hasText: text });
}

/** One value in every lane. */
export function everyLane(value: number, lanes = 64): string[] {
  return new Array(lanes).fill(String(value));
}

/** Row of a vector register among the final registers. */
export function registerRow(page: Page, name: string): Locator {
  const head = page.getByRole('rowheader', { name, exact: true });
  return panel(page, 'Lanes').getByRole('row').filter({ has: head });
}

/** Values in the lane grid, by row. */
export async function laneValues(page: Page): Promise<string[]> {
  return panel(page, 'Lanes').getByRole('grid').getByRole('gridcell').allInnerTexts();
}

/** Waits until what is written in the lanes satisfies a test, so that values of the event before are not taken. */
export async function lanesBecome(page: Page, values: readonly string[]): Promise<void> {
  const deadline = Date.now() + 20_000;
  let seen: string[] = [];
  while (Date.now() < deadline) {
    seen = await laneValues(page);
    if (seen.length === values.length && seen.every((v, i) => v === values[i])) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`lanes are ${seen.join(' ')}, not ${values.join(' ')}`);
}

/** Texts of the lines that are highlighted as selected, of those in sight, in one of the two listings. */
export function selectedLines(page: Page, label: 'Guest code' | 'SPIR-V'): Promise<string[]> {
  return page.evaluate((name) => {
    const input = document.querySelector(`[aria-label="${name}"]`);
    const view = input?.closest('.code-view');
    const tops = [...(view?.querySelectorAll('.code-line--selected, .code-line--primary') ?? [])].map(
      (mark) => (mark.parentElement as HTMLElement).style.top,
    );
    const lines = [...(view?.querySelectorAll<HTMLElement>('.view-line') ?? [])];
    return tops.map((top) =>
      (lines.find((line) => line.style.top === top)?.textContent ?? '').replaceAll('\u00a0', ' ').trim(),
    );
  }, label);
}

export function linkStatus(page: Page): Promise<string> {
  return panel(page, 'Shader').getByRole('status').innerText();
}

/** An instruction in a card of the graph. */
export function graphLine(page: Page, text: string | RegExp): Locator {
  return panel(page, 'CFG').locator('.cfg-line').filter({ hasText: text });
}

/** The shader panel says why the shader of the capture with the unmapped callee is refused. */
export async function refusalShown(page: Page): Promise<void> {
  const message = panel(page, 'Shader').getByText(/is not readable/);
  await message.first().waitFor({ timeout: 30_000 });
}

/** The window shows the sample's first dispatch with its results. */
export async function ready(page: Page): Promise<void> {
  await panel(page, 'Lanes').getByRole('gridcell').first().waitFor({ timeout: 60_000 });
  await panel(page, 'CFG').locator('.cfg-card').first().waitFor({ timeout: 30_000 });
}
