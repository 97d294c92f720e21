/**
 * The window in a browser: the same renderer over HTTP and the same contract over a WebSocket, on 127.0.0.1 only.
 *
 * Who may talk to it: a page that this server itself served (Host and Origin are checked, so no other site can, not even
 * through a name that resolves here) and that knows the token, which is in the fragment of the printed address and never
 * in a request line. A window that reloads finds its capture again: its services live on for a while.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { NoticeName, Notices } from '../preload/contract/index.ts';
import { asClientMessage, decodeFrame, encodeFrame, type ServerMessage } from '../preload/contract/wire.ts';
import type { WindowHost } from './rpc/handlers.ts';
import { Router } from './rpc/router.ts';
import { windowFile, windowFolder } from './rpc/window-files.ts';
import { createWindowServices, type WindowServices } from './rpc/window-services.ts';

export const PROTOCOL = 'lanescope';
const KEEP_MS = 120_000;
const MAX_MESSAGE_BYTES = 32 << 20;
const MAX_SESSIONS = 16;

export interface ServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly settingsFolder: string;
  readonly samplePath: string | null;
  readonly startPath: string | null;
  readonly folder?: string;
}

export interface RunningServer {
  /** With the token; whoever has it has the rights of this user. */
  readonly url: string;
  readonly origin: string;
  readonly token: string;
  close(): Promise<void>;
}

interface Session {
  readonly services: WindowServices;
  socket: WebSocket | undefined;
  ending: NodeJS.Timeout | undefined;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const folder = options.folder ?? windowFolder();
  const token = randomBytes(24).toString('hex');
  const sessions = new SessionTable(options);
  const http = createServer((request, response) => {
    void answer(request, response, folder, isOwnHost);
  });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: () => PROTOCOL,
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = http.address() as AddressInfo;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const isOwnHost = (request: IncomingMessage): boolean => hosts.includes(request.headers.host ?? '');

  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const session = admit(request, token, isOwnHost);
    if (session === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => sessions.attach(session, ws));
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/#token=${token}`,
    origin,
    token,
    async close() {
      for (const ws of sockets.clients) ws.terminate();
      await sessions.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  isOwnHost: (request: IncomingMessage) => boolean,
): Promise<void> {
  if (!isOwnHost(request)) return void response.writeHead(403).end();
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
  const path = (request.url ?? '/').split(/[?#]/)[0]!;
  const file = await windowFile(folder, path);
  if (!file) return void response.writeHead(404).end();
  response.writeHead(200, { ...file.headers, 'content-length': file.body.byteLength });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

/** The session that the client names, or undefined when it may not connect. */
function admit(
  request: IncomingMessage,
  token: string,
  isOwnHost: (request: IncomingMessage) => boolean,
): string | undefined {
  const { host, origin } = request.headers;
  if (!isOwnHost(request) || origin !== `http://${host}` || request.url !== '/rpc') return undefined;
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((p) => p.trim());
  const given = offered.find((p) => p.startsWith('token.'))?.slice('token.'.length) ?? '';
  const session = offered.find((p) => p.startsWith('session.'))?.slice('session.'.length) ?? '';
  if (!offered.includes(PROTOCOL) || !/^[\w-]{8,64}$/.test(session)) return undefined;
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b) ? session : undefined;
}

class SessionTable {
  private readonly options: ServerOptions;
  private readonly sessions = new Map<string, Session>();

  constructor(options: ServerOptions) {
    this.options = options;
  }

  attach(name: string, socket: WebSocket): void {
    const session = this.sessions.get(name) ?? this.create(name);
    if (!session) {
      socket.close(1013, 'too many windows');
      return;
    }
    clearTimeout(session.ending);
    session.socket?.close(1000, 'opened again elsewhere');
    session.socket = socket;
    const router = new Router(session.services);
    socket.on('message', (data, isBinary) => {
      if (isBinary) receive(router, socket, data);
      else socket.close(1003, 'binary frames only');
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      router.cancelAll();
      if (session.socket !== socket) return;
      session.socket = undefined;
      session.ending = setTimeout(() => void this.end(name), KEEP_MS);
      session.ending.unref();
    });
  }

  private create(name: string): Session | undefined {
    if (this.sessions.size >= MAX_SESSIONS) return undefined;
    const { samplePath, startPath, settingsFolder } = this.options;
    const host: WindowHost = { kind: 'browser', samplePath, startPath };
    const notify = <Name extends NoticeName>(notice: Name, value: Notices[Name]): void => {
      if (session.socket) send(session.socket, { kind: 'notice', name: notice, notice: value });
    };
    const services = createWindowServices(host, settingsFolder, notify);
    const session: Session = { services, socket: undefined, ending: undefined };
    this.sessions.set(name, session);
    return session;
  }

  private async end(name: string): Promise<void> {
    const session = this.sessions.get(name);
    this.sessions.delete(name);
    clearTimeout(session?.ending);
    await session?.services.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map((name) => this.end(name)));
  }
}

function receive(router: Router, socket: WebSocket, data: RawData): void {
  const message = asClientMessage(decodeFrame(bytesOf(data)));
  if (!message) {
    socket.close(1007, 'not a message of this protocol');
    return;
  }
  if (message.kind === 'cancel') {
    router.cancel(message.id);
    return;
  }
  const { id, name, args } = message;
  const onProgress = (progress: { done: number; total: number; text: string }): void => {
    send(socket, { kind: 'progress', id, progress });
  };
  void router.call(id, name, args, onProgress).then((reply) => send(socket, { kind: 'reply', id, reply }));
}

function send(socket: WebSocket, message: ServerMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(encodeFrame(message));
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
