/**
 * Entry of the session worker: owns the open capture and does everything that takes time, so that the process with the
 * window never waits. One call in, one reply out; calls overlap where they pause.
 */
import { parentPort } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { CaptureService } from './capture-service.ts';
import type { EngineMethod, EngineReply, EngineRequest } from './engine-protocol.ts';
import { Job } from './job.ts';

assert(parentPort, 'the session worker runs as a worker thread only');
const port = parentPort;
const running = new Map<number, AbortController>();
const handlers = new CaptureService().handlers;

function send(reply: EngineReply): void {
  port.postMessage(reply);
}

async function answer(id: number, method: EngineMethod, args: unknown): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  const job = new Job(abort.signal, (progress) => send({ kind: 'progress', id, progress }));
  const handler = handlers[method] as (args: unknown, job: Job) => unknown;
  try {
    send({ kind: 'done', id, value: await handler(args, job) });
  } catch (error) {
    if (abort.signal.aborted) send({ kind: 'cancelled', id });
    else {
      const message = error instanceof Error ? error.message : String(error);
      send({ kind: 'failed', id, message, report: error instanceof Error ? (error.stack ?? message) : message });
    }
  } finally {
    running.delete(id);
  }
}

port.on('message', (request: EngineRequest) => {
  if (request.kind === 'cancel') running.get(request.id)?.abort();
  else void answer(request.id, request.method, request.args);
});
