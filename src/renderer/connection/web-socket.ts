/**
 * The contract over a WebSocket, for a window in a browser. The token is in the fragment of the address; it is kept for
 * this tab, so that a reload works, and taken out of the address bar. A connection that breaks is made again.
 */
import type { CallReply, NoticeName, Progress, Transport } from '../../preload/contract/index.ts';
import { decodeFrame, encodeFrame, type ServerMessage } from '../../preload/contract/wire.ts';

const RETRY_MS = [200, 500, 1000, 2000, 5000];

interface Waiting {
  readonly resolve: (reply: CallReply) => void;
  readonly onProgress: (progress: Progress) => void;
}

export class WebSocketTransport implements Transport {
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Set<(name: NoticeName, notice: unknown) => void>();
  private readonly onState: (isConnected: boolean) => void;
  private socket: Promise<WebSocket> | undefined;
  private failures = 0;

  constructor(onState: (isConnected: boolean) => void) {
    this.onState = onState;
  }

  async call(id: number, name: string, args: unknown, onProgress: (progress: Progress) => void): Promise<CallReply> {
    let socket: WebSocket;
    try {
      socket = await this.connect();
    } catch {
      return lost('there is no connection to the engine');
    }
    return new Promise((resolve) => {
      this.waiting.set(id, { resolve, onProgress });
      socket.send(encodeFrame({ kind: 'call', id, name, args }));
    });
  }

  cancel(id: number): void {
    void this.socket?.then((socket) => socket.send(encodeFrame({ kind: 'cancel', id }))).catch(() => {});
  }

  subscribe(listener: (name: NoticeName, notice: unknown) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private connect(): Promise<WebSocket> {
    this.socket ??= this.open();
    return this.socket;
  }

  private async open(): Promise<WebSocket> {
    const delay = this.failures === 0 ? 0 : RETRY_MS[Math.min(this.failures, RETRY_MS.length) - 1]!;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    const socket = new WebSocket(`ws://${location.host}/rpc`, protocols());
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => this.receive(new Uint8Array(data as ArrayBuffer));
    try {
      await new Promise<void>((resolve, reject) => {
        socket.onopen = () => resolve();
        socket.onclose = () => reject(new Error('refused'));
      });
    } catch (error) {
      this.failures++;
      this.socket = undefined;
      this.onState(false);
      throw error;
    }
    this.failures = 0;
    this.onState(true);
    socket.onclose = () => {
      this.socket = undefined;
      this.onState(false);
      for (const { resolve } of this.waiting.values()) resolve(lost('the connection to the engine was lost'));
      this.waiting.clear();
      void this.reconnect();
    };
    return socket;
  }

  private async reconnect(): Promise<void> {
    while (!this.socket && this.failures < 60) {
      try {
        await this.connect();
      } catch {
        // `failures` was counted; the next turn waits longer.
      }
    }
  }

  private receive(bytes: Uint8Array): void {
    const message = decodeFrame(bytes) as ServerMessage | undefined;
    switch (message?.kind) {
      case 'reply':
        this.waiting.get(message.id)?.resolve(message.reply);
        this.waiting.delete(message.id);
        break;
      case 'progress':
        this.waiting.get(message.id)?.onProgress(message.progress);
        break;
      case 'notice':
        for (const listener of this.listeners) listener(message.name, message.notice);
        break;
      case undefined:
        break;
    }
  }
}

function lost(message: string): CallReply {
  return { ok: false, failure: { code: 'RPC005', message } };
}

/** Token and session travel as subprotocols: they appear in no address and no log of requests. */
function protocols(): string[] {
  const fromAddress = new URLSearchParams(location.hash.slice(1)).get('token');
  if (fromAddress) {
    sessionStorage.setItem('token', fromAddress);
    history.replaceState(null, '', location.pathname);
  }
  const token = sessionStorage.getItem('token') ?? '';
  let session = sessionStorage.getItem('session');
  if (!session) {
    session = crypto.randomUUID();
    sessionStorage.setItem('session', session);
  }
  return ['lanescope', `token.${token}`, `session.${session}`];
}
