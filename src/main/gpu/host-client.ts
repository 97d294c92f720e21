/**
 * The engine's side of the GPU host: starts it, talks to it, kills it when a run takes too long, starts it again.
 *
 * Requests are serialised. When the host ends during a request, that request rejects with GPU002 (GPU003 when the
 * watchdog ended it) and the next request starts a fresh host and opens the same device again. Drivers that do not
 * survive being loaded are found and left out: device-survey.ts.
 */
import {
  type DevicePlace,
  indexOfMatch,
  SURVEY_LIMITS,
  type Survey,
  type SurveyLimits,
  samePlace,
  surveyByDriver,
  surveyOfAll,
  withUnusable,
} from './device-survey.ts';
import type { HostConnection, HostLauncher } from './fork-host.ts';
import {
  type GpuBackend,
  type GpuBatch,
  type GpuBatchResult,
  type GpuDevice,
  type GpuDeviceList,
  GpuError,
  type GpuProfile,
} from './gpu-backend.ts';
import type { HostReply, HostRequest } from './host-protocol.ts';

const OPEN_LIMIT_MS = 120_000;

interface Pending {
  readonly resolve: (reply: HostReply) => void;
  readonly reject: (error: GpuError) => void;
}

type RequestBody = HostRequest extends infer R ? (R extends HostRequest ? Omit<R, 'id'> : never) : never;

export class HostClient implements GpuBackend {
  readonly kind = 'vulkan' as const;
  private readonly launcher: HostLauncher;
  private readonly limits: SurveyLimits;
  private connection: HostConnection | undefined;
  /** Drivers that the running host has loaded (undefined: all), and the device that it has open. */
  private loaded: DevicePlace['drivers'];
  private opened: DevicePlace | undefined;
  private profile: GpuProfile | undefined;
  private survey: Survey | undefined;
  private pending: (Pending & { readonly id: number }) | undefined;
  private nextId = 1;
  private queue: Promise<unknown> = Promise.resolve();
  private endedBy: 'watchdog' | 'cancel' | undefined;

  constructor(launcher: HostLauncher, limits: SurveyLimits = SURVEY_LIMITS) {
    this.launcher = launcher;
    this.limits = limits;
  }

  /** Process id of the running host, for tests and for the status bar. */
  get hostPid(): number | undefined {
    return this.connection?.pid;
  }

  private connect(): HostConnection {
    if (this.connection) return this.connection;
    const connection = this.launcher.launch(this.loaded);
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
      else pending.reject(new GpuError('GPU002', `the GPU host process ended (${how})`));
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

  devices(): Promise<GpuDeviceList> {
    return this.serial(async () => {
      const { devices, failed } = await this.look();
      return { devices, failed };
    });
  }

  /** What is there; asked again of a fresh host, unless something was found out the hard way. */
  private async look(): Promise<Survey> {
    if (this.survey && (this.survey.isHardWon || this.connection)) return this.survey;
    const { manifests, disabled } = this.launcher;
    try {
      const reply = await this.exchange({ kind: 'devices' }, this.limits.allMs);
      if (reply.kind !== 'devices') throw new GpuError('GPU002', `the GPU host answered '${reply.kind}' to devices`);
      this.survey = surveyOfAll(reply.devices, disabled);
    } catch (error) {
      if (!(error instanceof GpuError) || error.code === 'GPU013' || !manifests?.length) throw error;
      this.drop();
      this.survey = await surveyByDriver(this.launcher, manifests, this.limits.oneMs);
    }
    return this.survey;
  }

  private isOpen(place: DevicePlace): boolean {
    return this.opened !== undefined && samePlace(this.opened, place);
  }

  /** In a fresh host when the running one has another device open or other drivers loaded. */
  private async openAt(place: DevicePlace): Promise<GpuProfile> {
    if (this.opened || this.loaded?.[0] !== place.drivers?.[0]) this.drop();
    this.loaded = place.drivers;
    const reply = await this.exchange({ kind: 'open', device: place.index }, OPEN_LIMIT_MS);
    if (reply.kind !== 'opened') throw new GpuError('GPU002', `the GPU host answered '${reply.kind}' to open`);
    this.opened = place;
    return reply.profile;
  }

  /** Without a wish the first that can be opened; those that cannot are remembered as unusable. */
  private async openMatching(
    wanted: number | string | undefined,
  ): Promise<{ place: DevicePlace; profile: GpuProfile }> {
    for (;;) {
      const survey = await this.look();
      const index = indexOfMatch(survey, wanted);
      const place = survey.places[index]!;
      if (this.profile && this.isOpen(place)) return { place, profile: this.profile };
      try {
        const profile = await this.openAt(place);
        // A host of one driver numbers its devices by itself.
        this.profile = { ...profile, device: { ...profile.device, index } };
        return { place, profile: this.profile };
      } catch (error) {
        if (wanted !== undefined || !(error instanceof GpuError)) throw error;
        this.drop();
        this.survey = withUnusable(survey, index, `cannot be opened: ${error.message}`);
        if (this.survey.devices.some((d) => d.unusable === undefined)) continue;
        // Nothing is left: say all that was tried, and try it anew at the next request.
        const exhausted = this.survey;
        this.survey = undefined;
        indexOfMatch(exhausted, undefined);
      }
    }
  }

  async open(device?: number | string): Promise<GpuDevice> {
    const { place, profile } = await this.serial(() => this.openMatching(device));
    return {
      profile,
      run: (batch: GpuBatch, signal?: AbortSignal): Promise<GpuBatchResult> =>
        this.serial(async () => {
          if (!this.isOpen(place)) await this.openAt(place);
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
