/**
 * Tests that run in every host of the window. A host that is not on this machine becomes a skipped test that names the
 * reason: it is counted as skipped, never as passed.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ready } from './panels.ts';
import { HOSTS, type HostKind, missing, openWindow, type TestWindow, type WindowOptions } from './window.ts';

export function describeHosts(body: (host: HostKind) => void): void {
  describe.each(HOSTS)('in %s', (host) => {
    const why = missing(host);
    if (why) it.skip(`skipped: ${why}`, () => {});
    else body(host);
  });
}

/** One window for the tests of a block, open from before the first until after the last; returns the way to it. */
export function sharedWindow(
  host: HostKind,
  options: WindowOptions,
  prepare: (window: TestWindow) => Promise<void> = ({ page }) => ready(page),
): () => TestWindow {
  let window: TestWindow | undefined;
  beforeAll(async () => {
    window = await openWindow(host, options);
    await prepare(window);
  });
  afterAll(() => window?.close());
  return () => window!;
}
