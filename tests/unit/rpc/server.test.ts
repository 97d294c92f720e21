/**
 * The server for a browser: whom it answers and whom it refuses, what it does with calls that are not of the contract,
 * and one capture opened over it. The engine's worker is the built one in out/engine.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { PROTOCOL, type RunningServer, startServer } from '../../../src/main/server.ts';
import type { CallReply, CaptureSummary, OutputPage, Progress, RunView } from '../../../src/preload/contract/index.ts';
import { decodeFrame, encodeFrame, type ServerMessage } from '../../../src/preload/contract/wire.ts';
import { largeCapture } from '../../e2e/support/large-capture.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'resources', 'samples', 'call-program.lscap');
const SESSION = 'session.tests-0001';

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lanescope-server-'));
  mkdirSync(join(folder, 'window'));
  writeFileSync(join(folder, 'window', 'index.html'), '<title>window</title>');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  server = await startServer({
    port: 0,
    settingsFolder: join(folder, 'settings'),
    samplePath: SAMPLE,
    startPath: null,
    folder: join(folder, 'window'),
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** Paths are sent as they are, which `fetch` would not do. */
function get(path: string, options: { host?: string; method?: string } = {}): Promise<Answer> {
  const { hostname, port } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    const headers = options.host === undefined ? {} : { host: options.host };
    const sent = request({ hostname, port, path, method: options.method ?? 'GET', headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port, timeout: 2000 });
    const end = (isReached: boolean): void => {
      socket.destroy();
      resolve(isReached);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

describe('files', () => {
  it('are served with the headers that confine the window', async () => {
    const { status, headers, body } = await get('/');
    expect(status).toBe(200);
    expect(body).toContain('window');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/%00',
    '/%',
    '//secret.txt',
    '/nothing',
  ])('outside the folder are not served: %s', async (path) => {
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(body).not.toContain('secret');
  });

  it('are for reading only', async () => {
    expect((await get('/', { method: 'POST' })).status).toBe(405);
    expect((await get('/', { method: 'HEAD' })).body).toBe('');
  });

  it.each(['example.invalid', 'localhost', '127.0.0.1:1', 'lanescope.example:80'])(
    'are refused to the host %s',
    async (host) => {
      expect((await get('/', { host })).status).toBe(403);
    },
  );

  it('come from this machine only', async () => {
    const { hostname, port } = new URL(server.origin);
    expect(hostname).toBe('127.0.0.1');
    // Linux answers at all of 127.0.0.0/8; a server that listens everywhere would do so here.
    const others = process.platform === 'linux' ? ['127.0.0.2'] : [];
    for (const list of Object.values(networkInterfaces())) {
      others.push(...(list ?? []).filter((a) => a.family === 'IPv4' && !a.internal).map((a) => a.address));
    }
    for (const host of others) await expect(reaches(host, Number(port)), host).resolves.toBe(false);
    await expect(reaches(hostname, Number(port))).resolves.toBe(true);
  });
});

interface Offer {
  readonly token?: string;
  readonly origin?: string | undefined;
  readonly host?: string;
  readonly session?: string;
  readonly path?: string;
  readonly protocols?: readonly string[];
}

function connect(offer: Offer = {}): Promise<WebSocket> {
  const { token = server.token, origin = server.origin, session = SESSION, path = '/rpc' } = offer;
  const protocols = offer.protocols ?? [PROTOCOL, `token.${token}`, session];
  const socket = new WebSocket(`${server.origin.replace('http', 'ws')}${path}`, [...protocols], {
    ...(origin === undefined ? {} : { origin }),
    ...('origin' in offer && offer.origin === undefined ? { origin: '' } : {}),
    ...(offer.host === undefined ? {} : { headers: { host: offer.host } }),
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}

const refused = /403/;

describe('connections', () => {
  it('are made with token, origin, host and session', async () => {
    const socket = await connect();
    expect(socket.protocol).toBe(PROTOCOL);
    socket.close();
  });

  it('are refused with a wrong token', async () => {
    await expect(connect({ token: 'x'.repeat(48) })).rejects.toThrow(refused);
    await expect(connect({ token: '' })).rejects.toThrow(refused);
    await expect(connect({ token: `${server.token}0` })).rejects.toThrow(refused);
    await expect(connect({ protocols: [PROTOCOL, SESSION] })).rejects.toThrow(refused);
  });

  it('are refused from another origin', async () => {
    await expect(connect({ origin: 'https://example.invalid' })).rejects.toThrow(refused);
    await expect(connect({ origin: 'null' })).rejects.toThrow(refused);
    await expect(connect({ origin: server.origin.replace('http:', 'https:') })).rejects.toThrow(refused);
    await expect(connect({ origin: undefined })).rejects.toThrow(refused);
  });

  it('are refused to another host', async () => {
    // A name of another site that resolves to this machine: the browser sends it as host and origin.
    await expect(connect({ host: 'rebound.invalid', origin: 'http://rebound.invalid' })).rejects.toThrow(refused);
  });

  it('are refused without a session, or with one that is no name', async () => {
    await expect(connect({ session: 'session.' })).rejects.toThrow(refused);
    await expect(connect({ session: 'session.a' })).rejects.toThrow(refused);
  });

  it('are refused in another protocol', async () => {
    await expect(connect({ protocols: [`token.${server.token}`, SESSION] })).rejects.toThrow(refused);
    await expect(connect({ protocols: ['other', `token.${server.token}`, SESSION] })).rejects.toThrow(refused);
  });

  it('are refused elsewhere', async () => {
    await expect(connect({ path: '/' })).rejects.toThrow(refused);
    await expect(connect({ path: `/rpc?token=${server.token}` })).rejects.toThrow(refused);
  });
});

/** A client that is not ours: it sends what it likes. */
class Client {
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  readonly progress: Progress[] = [];
  readonly notices: string[] = [];
  private readonly waiting = new Map<number, (reply: CallReply) => void>();
  private nextId = 1;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('message', (data: Buffer) => {
      const message = decodeFrame(data) as ServerMessage;
      if (message.kind === 'reply') this.waiting.get(message.id)?.(message.reply);
      else if (message.kind === 'progress') this.progress.push(message.progress);
      else this.notices.push(message.name);
    });
  }

  call(name: string, args: unknown, id = this.nextId++): Promise<CallReply> {
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(encodeFrame({ kind: 'call', id, name, args }));
    });
  }

  async value<T>(name: string, args: unknown): Promise<T> {
    const reply = await this.call(name, args);
    if (!reply.ok) throw new Error(`${name}: ${reply.failure.code} ${reply.failure.message}`);
    return reply.value as T;
  }
}

const newClient = async (offer: Offer = {}): Promise<Client> => new Client(await connect(offer));
const code = (reply: CallReply): string => (reply.ok ? 'ok' : reply.failure.code);

describe('calls', () => {
  it('that are unknown are refused', async () => {
    const client = await newClient();
    for (const name of ['nothing', 'app', '', 'constructor', '__proto__', 'toString', 'app.info ']) {
      expect(code(await client.call(name, {}))).toBe('RPC001');
    }
    client.socket.close();
  });

  it('that are malformed are refused', async () => {
    const client = await newClient();
    const calls: readonly [string, unknown][] = [
      ['app.info', null],
      ['app.info', { extra: 1 }],
      ['capture.open', {}],
      ['capture.open', { path: '' }],
      ['capture.open', { path: 'x'.repeat(5000) }],
      ['capture.open', { path: ['/'] }],
      ['events.text', { from: -1, count: 1 }],
      ['events.text', { from: 0, count: 1e6 }],
      ['run.dispatch', { event: 0, backend: 'cuda' }],
      ['run.dispatch', { event: 0.5, backend: 'reference' }],
      ['app.uploadChunk', { id: 0, bytes: 'text' }],
      ['app.beginUpload', { name: 'x', sizeBytes: -1 }],
    ];
    for (const [name, args] of calls) expect(code(await client.call(name, args)), name).toBe('RPC002');
    client.socket.close();
  });

  it('in frames that are none end the connection', async () => {
    const garbage = await newClient({ session: 'session.garbage-1' });
    garbage.socket.send(Uint8Array.of(1, 2, 3));
    expect(await garbage.closed).toBe(1007);
    const text = await newClient({ session: 'session.garbage-2' });
    text.socket.send('{"kind":"call"}');
    expect(await text.closed).toBe(1003);
  });

  it('that are larger than any of ours end the connection', async () => {
    const client = await newClient({ session: 'session.too-large' });
    client.socket.on('error', () => {});
    client.socket.send(new Uint8Array(33 << 20));
    expect(await client.closed).toBe(1009);
  });

  it('that are too many at once are refused', async () => {
    const client = await newClient({ session: 'session.too-many' });
    const codes = await Promise.all(
      Array.from({ length: 300 }, () => client.call('capture.open', { path: SAMPLE }).then(code)),
    );
    expect(codes.filter((c) => c === 'RPC002').length).toBeGreaterThan(0);
    expect(codes.filter((c) => c === 'ok').length).toBeGreaterThan(0);
    expect(code(await client.call('app.info', {}))).toBe('ok');
    client.socket.close();
  });

  it('that use a number twice are refused the second time', async () => {
    const client = await newClient({ session: 'session.twice-001' });
    const opening = client.call('capture.open', { path: SAMPLE }, 5);
    const again = await new Promise<CallReply>((resolve) => {
      const other = client.call('devices.list', {}, 5);
      void other.then(resolve);
    });
    expect(code(again)).toBe('RPC002');
    void opening;
    client.socket.close();
  });

  it('that are cancelled say so', async () => {
    const client = await newClient({ session: 'session.cancel-01' });
    const file = join(folder, 'large.lscap');
    writeFileSync(file, largeCapture(20_000));
    const reply = client.call('capture.open', { path: file }, 41);
    client.socket.send(encodeFrame({ kind: 'cancel', id: 41 }));
    expect(code(await reply)).toBe('RPC003');
    expect(await client.value('capture.current', {})).toBeNull();
    client.socket.close();
  });
});

describe.skipIf(!existsSync(SAMPLE))('a capture over the server', () => {
  it('opens, runs, and is found again after the connection was lost', async () => {
    const client = await newClient({ session: 'session.capture-1' });
    const opened = await client.value<{ ok: true; value: CaptureSummary }>('capture.open', { path: SAMPLE });
    expect(opened.ok && opened.value.name).toBe('call-program.lscap');
    const tree = await client.value<{ kind: Uint8Array; event: Int32Array }>('events.tree', {});
    const event = tree.event[tree.kind.indexOf(3)]!;
    const run = await client.value<RunView>('run.dispatch', { event, backend: 'reference' });
    expect(run.verdict).toBe('equal');
    const page = await client.value<OutputPage>('run.output', {
      event,
      backend: 'reference',
      output: 0,
      from: 0,
      count: 64,
    });
    // Three turns of add 5 and add 64.
    expect([...page.after]).toEqual(new Array(64).fill(3 * (5 + 64)));
    expect(client.notices).toContain('log');
    client.socket.terminate();
    const again = await newClient({ session: 'session.capture-1' });
    expect((await again.value<CaptureSummary>('capture.current', {})).id).toBe(opened.value.id);
    const other = await newClient({ session: 'session.capture-2' });
    expect(await other.value('capture.current', {})).toBeNull();
    again.socket.close();
    other.socket.close();
  });

  it('is taken from a browser piece by piece', async () => {
    const client = await newClient({ session: 'session.upload-01' });
    const bytes = new Uint8Array(readFileSync(SAMPLE));
    const { id } = await client.value<{ id: number }>('app.beginUpload', {
      name: '../../etc/pass wd.lscap',
      sizeBytes: bytes.length,
    });
    const half = bytes.length >> 1;
    await client.value('app.uploadChunk', { id, bytes: bytes.subarray(0, half) });
    await client.value('app.uploadChunk', { id, bytes: bytes.subarray(half) });
    expect(code(await client.call('app.uploadChunk', { id, bytes: Uint8Array.of(1) }))).toBe('RPC004');
    const { path } = await client.value<{ path: string }>('app.finishUpload', { id });
    expect(path.startsWith(tmpdir())).toBe(true);
    expect(path.endsWith('pass wd.lscap')).toBe(true);
    expect(readFileSync(path)).toEqual(Buffer.from(bytes));
    const opened = await client.value<{ ok: boolean }>('capture.open', { path });
    expect(opened.ok).toBe(true);
    // What was sent is not a file of the user's: it is not offered again.
    const recent = await client.value<readonly { path: string }[]>('app.recentFiles', {});
    expect(recent.map((f) => f.path)).not.toContain(path);
    expect(code(await client.call('app.finishUpload', { id }))).toBe('RPC004');
    client.socket.close();
  });

  it('is refused by name when it is none, and costs nothing', async () => {
    const client = await newClient({ session: 'session.damaged-1' });
    const file = join(folder, 'damaged.lscap');
    writeFileSync(file, 'no capture');
    const outcome = await client.value<{ ok: boolean; diagnostics: { code: string }[] }>('capture.open', {
      path: file,
    });
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics[0]!.code).toMatch(/^CAP\d{3}$/);
    expect(await client.value('capture.current', {})).toBeNull();
    client.socket.close();
  });
});

describe('windows', () => {
  it('are as many as fit, and no more', async () => {
    const other = await startServer({
      port: 0,
      settingsFolder: join(folder, 'settings'),
      samplePath: null,
      startPath: null,
      folder: join(folder, 'window'),
    });
    const open = (number: number): Promise<Client> =>
      new Promise((resolve, reject) => {
        const protocols = [PROTOCOL, `token.${other.token}`, `session.window-${number}`];
        const socket = new WebSocket(`${other.origin.replace('http', 'ws')}/rpc`, protocols, { origin: other.origin });
        const client = new Client(socket);
        socket.once('open', () => resolve(client));
        socket.once('error', reject);
      });
    try {
      const clients: Client[] = [];
      for (let i = 0; i < 16; i++) clients.push(await open(i));
      expect(await (await open(16)).closed).toBe(1013);
      expect(code(await clients[15]!.call('app.info', {}))).toBe('ok');
    } finally {
      await other.close();
    }
  });
});
