/** The process with the device dies while a run waits for it. */
import { expect } from 'vitest';
import { panel } from './panels.ts';
import { gpuHosts, type TestWindow } from './window.ts';

/** Stops it, starts the run of the next dispatch, and ends it; `meanwhile` is done while the run waits. */
export async function loseDevice({ page, enginePid }: TestWindow, meanwhile?: () => Promise<void>): Promise<void> {
  const [pid] = gpuHosts(enginePid);
  expect(pid).toBeDefined();
  process.kill(pid!, 'SIGSTOP');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.getByRole('button', { name: /^Cancel: Running on the device/ }).waitFor();
  await meanwhile?.();
  process.kill(pid!, 'SIGKILL');
  const message = panel(page, 'Lanes').getByText(/GPU002/);
  await message.first().waitFor({ timeout: 20_000 });
}
