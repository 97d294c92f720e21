/**
 * The engine's side of the GPU host: starts it, talks to it, kills it when a run takes too long, starts it again.
 *
 * Requests are serialised. When the host ends during a request, that request rejects with GPU002 (GPU003 when the
 * watchdog ended it) and the next request starts a fresh host and opens the same device again.
 */
import { fork } from 'node:child_process';
import {
  type GpuBackend,
  type GpuBatch,
  type GpuBatchResult,
  type GpuDevice,
  type GpuDeviceInfo,
  GpuError,
  type GpuProfile,
} from './gpu-backend.ts';
import type { HostReply, HostRequest } from './host-protocol.ts';

/** A running host process, however it was started. */
export interface HostConnection {
  send(request: HostRequest): void;
  onReply(listener: (reply: HostReply) => void): void;
  /** Called once when the process ends, with a description. */
  onExit(listener: (how: string) => void): void;
  kill(): void;
  readonly pid: number | undefined;
}

export type StartHost = () => HostConnection;

/** Starts the host with child_process.fork; `script` is the built host entry. */
export function forkHost(script: string, environment: NodeJS.ProcessEnv = process.env): StartHost {
  return () => {
    const child = fork(script, [], {
      serialization: 'advanced',
      env: environment,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-2000);
    });
    return {
      pid: child.pid,
      send: (request) => {
        // A dead channel is reported by the exit listener.
        if (child.connected) child.send(request, () => {});
      },
      onReply: (listener) => {
        child.on('message', (message) => listener(message as HostReply));
      },
      onExit: (listener) => {
        child.once('exit', (code, signal) => {
          const how = signal ? `signal ${signal}` : `exit code ${code}`;
          listener(complaint.trim() ? `${how}: ${complaint.trim().split('\n').at(-1)}` : how);
        });
      },
      kill: () => child.kill('SIGKILL'),
    };
  };
}

interface Pending {
  readonly resolve: (reply: HostReply) => void;
  readonly reject: (error: GpuError) => void;
}

type RequestBody = HostRequest extends infer R ? (R extends HostRequest ? Omit<R, 'id'> : never) : never;

export class HostClient implements GpuBackend {
  readonly kind = 'vulkan' as const;
  private readonly start: StartHost;
  private connection: HostConnection | undefined;
  private opened: number | string | 'default' | undefined;
  private pending: (Pending & { readonly id: number }) | undefined;
  private nextId = 1;
  private queue: Promise<unknown> = Promise.resolve();
  private endedBy: 'watchdog' | 'cancel' | undefined;

  constructor(start: StartHost) {
    this.start = start;
  }

  /** Process id of the running host, for tests and for the status bar. */
  get hostPid(): number | undefined {
    return this.connection?.pid;
  }

  private connect(): HostConnection {
    if (this.connection) return this.connection;
    const connection = this.start();
    this.connection = connection;
    connection.onReply((reply) => {
      const pending = this.pending;
      if (pending?.id !== reply.id) return;
      this.pending = undefined;
      pending.resolve(reply);
    });
    connection.onExit((how) => {
      if (this.connection !== connection) return;
      this.connection = undefined;
      this.opened = undefined;
      const pending = this.pending;
      this.pending = undefined;
      const why = this.endedBy;
      this.endedBy = undefined;
      if (!pending) return;
      if (why === 'watchdog')
        pending.reject(new GpuError('GPU003', 'the run took longer than its time limit; the GPU host was stopped'));
      else if (why === 'cancel')
        pending.reject(new GpuError('GPU007', 'the run was cancelled; the GPU host was stopped'));
      else pending.reject(new GpuError('GPU002', `the GPU host process ended during the run (${how})`));
    });
    return connection;
  }

  private exchange(body: RequestBody, timeoutMs: number, signal?: AbortSignal): Promise<HostReply> {
    return new Promise<HostReply>((resolve, reject) => {
      if (signal?.aborted) {
        reject(new GpuError('GPU007', 'the run was cancelled'));
        return;
      }
      const connection = this.connect();
      const id = this.nextId++;
      const stop = (why: 'watchdog' | 'cancel'): void => {
        this.endedBy = why;
        connection.kill();
      };
      const timer = setTimeout(() => stop('watchdog'), timeoutMs);
      const onAbort = (): void => stop('cancel');
      signal?.addEventListener('abort', onAbort, { once: true });
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      this.pending = {
        id,
        resolve: (reply) => {
          done();
          if (reply.kind === 'error') reject(new GpuError(reply.code, reply.message));
          else resolve(reply);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      };
      connection.send({ ...body, id } as HostRequest);
    });
  }

  /** One request at a time, whatever happened to the one before. */
  private serial<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  devices(): Promise<readonly GpuDeviceInfo[]> {
    return this.serial(async () => {
      const reply = await this.exchange({ kind: 'devices' }, 60_000);
      return reply.kind === 'devices' ? reply.devices : [];
    });
  }

  private async openNow(device: number | string | undefined): Promise<GpuProfile> {
    const reply = await this.exchange(device === undefined ? { kind: 'open' } : { kind: 'open', device }, 120_000);
    if (reply.kind !== 'opened') throw new GpuError('GPU002', `the GPU host answered '${reply.kind}' to open`);
    this.opened = device ?? 'default';
    return reply.profile;
  }

  async open(device?: number | string): Promise<GpuDevice> {
    const wanted = device ?? 'default';
    const profile = await this.serial(async () => {
      // One device per host: another one means a fresh process.
      if (this.opened !== undefined && this.opened !== wanted) this.drop();
      return this.openNow(device);
    });
    return {
      profile,
      run: (batch: GpuBatch, signal?: AbortSignal): Promise<GpuBatchResult> =>
        this.serial(async () => {
          if (this.opened !== wanted) {
            if (this.opened !== undefined) this.drop();
            await this.openNow(device);
          }
          const reply = await this.exchange({ kind: 'run', batch }, batch.timeoutMs, signal);
          if (reply.kind !== 'result') throw new GpuError('GPU002', `the GPU host answered '${reply.kind}' to run`);
          return reply.result;
        }),
      close: () => this.close(),
    };
  }

  private drop(): void {
    const connection = this.connection;
    this.connection = undefined;
    this.opened = undefined;
    connection?.kill();
  }

  async close(): Promise<void> {
    await this.serial(async () => this.drop());
  }
}
