/** Handlers of the group `capture`: opening and closing. */
import type { Handlers } from './handlers.ts';

type CaptureCall = Extract<keyof Handlers, `capture.${string}`>;

export const CAPTURE_HANDLERS: Pick<Handlers, CaptureCall> = {
  'capture.open': async ({ path }, { workspace, recent, uploads, log, signal, onProgress }) => {
    const outcome = await workspace.open(path, { signal, onProgress });
    if (outcome.ok) {
      const { name, events, dispatches, target, damage } = outcome.value;
      log.add('info', 'capture', `opened ${name}: ${target}, ${events} events, ${dispatches} dispatches`);
      for (const d of damage) log.add('warning', 'capture', d.text);
      if (!uploads.owns(path)) await recent.add(path);
    } else for (const d of outcome.diagnostics) log.add('error', 'capture', d.text);
    return outcome;
  },
  'capture.current': (_args, { workspace }) => workspace.current ?? null,
  'capture.close': async (_args, { workspace }) => {
    await workspace.closeCapture();
    return null;
  },
};
