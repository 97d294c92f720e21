/** Dropping files onto a window. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import type { TestWindow } from './window.ts';

/** As a browser gives it: a file with bytes and without a path. */
export async function dropBytes(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.evaluate(
    ([fileName, text]) => {
      const content = Uint8Array.from(atob(text!), (c) => c.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName!));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    [name, Buffer.from(bytes).toString('base64')],
  );
}

/** A file of this machine. In Electron by the system's own events, so that the window learns its path. */
export async function dropFile({ host, page }: TestWindow, path: string): Promise<void> {
  if (host === 'browser') {
    await dropBytes(page, basename(path), readFileSync(path));
    return;
  }
  const session = await page.context().newCDPSession(page);
  const place = { x: 600, y: 400, data: { items: [], files: [path], dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...place });
  }
  await session.detach();
}
