/**
 * Calls of the contract, typed by it, over whichever transport this window has: Electron's bridge or a WebSocket.
 */
import type {
  Bridge,
  CallArgs,
  CallFailure,
  CallName,
  CallResult,
  NoticeName,
  Notices,
  Progress,
  Transport,
} from '../../preload/contract/index.ts';
import { WebSocketTransport } from './web-socket.ts';

declare global {
  interface Window {
    /** Put there by the preload script; absent in a browser. */
    readonly lanescope?: Bridge;
  }
}

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;
  /** What the user can copy, for a bug of ours. */
  readonly report: string | undefined;
  constructor({ code, message, report }: CallFailure) {
    super(message);
    this.code = code;
    this.report = report;
  }
  get isCancelled(): boolean {
    return this.code === 'RPC003';
  }
}

const connectionListeners = new Set<(isConnected: boolean) => void>();
const transport: Transport =
  window.lanescope ??
  new WebSocketTransport((isConnected) => {
    for (const listener of connectionListeners) listener(isConnected);
  });

export function onConnection(listener: (isConnected: boolean) => void): () => void {
  connectionListeners.add(listener);
  return () => {
    connectionListeners.delete(listener);
  };
}

let nextId = 1;

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Rejects with CallError only. */
export async function call<Name extends CallName>(
  name: Name,
  args: CallArgs<Name>,
  { signal, onProgress }: CallOptions = {},
): Promise<CallResult<Name>> {
  if (signal?.aborted) throw new CallError({ code: 'RPC003', message: 'cancelled' });
  const id = nextId++;
  const onAbort = (): void => transport.cancel(id);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const reply = await transport.call(id, name, args, onProgress ?? (() => {}));
    if (!reply.ok) throw new CallError(reply.failure);
    return reply.value as CallResult<Name>;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

export function onNotice<Name extends NoticeName>(name: Name, listener: (notice: Notices[Name]) => void): () => void {
  return transport.subscribe((heard, notice) => {
    if (heard === name) listener(notice as Notices[Name]);
  });
}

const CHUNK_BYTES = 4 << 20;

/** A path that the engine can open: the file's own where the host knows it, else that of a copy sent to the engine. */
export async function pathForFile(file: File, options: CallOptions = {}): Promise<string> {
  const known = window.lanescope?.pathOfFile(file);
  if (known) return known;
  const { id } = await call('app.beginUpload', { name: file.name, sizeBytes: file.size });
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    if (options.signal?.aborted) throw new CallError({ code: 'RPC003', message: 'cancelled' });
    const bytes = new Uint8Array(await file.slice(at, at + CHUNK_BYTES).arrayBuffer());
    await call('app.uploadChunk', { id, bytes });
    options.onProgress?.({ done: at + bytes.length, total: file.size, text: `sending ${file.name}` });
  }
  return (await call('app.finishUpload', { id })).path;
}
