/**
 * Everything that the window asks about the open capture, in the worker that owns it: one handler per engine call.
 *
 * Answers about an event that does not exist are empty rather than errors: the window may ask late, after another
 * capture was opened.
 */
import { basename } from 'node:path';
import type { CaptureSummary, EventRowText, Outcome, PacketPage } from '../../../preload/contract/index.ts';
import type { DevicesView } from '../../../preload/contract/run.ts';
import type { ProgramAnswer, SpirvView } from '../../../preload/contract/shader.ts';
import { formatAddress } from '../../base/guest-address.ts';
import type { GuestMemory } from '../../base/guest-memory.ts';
import type { OpenCapture } from '../../capture/store/open-capture.ts';
import { dispatchFromState } from '../../driver/dispatch-state.ts';
import { linkDispatch } from '../../driver/link-dispatch.ts';
import { packetShape } from '../../pm4/format.ts';
import { packetsOfEvent } from '../event-packets.ts';
import { openCapture } from '../open-input.ts';
import { CaptureNames } from '../replay.ts';
import { diagnosticViews } from './diagnostic-view.ts';
import type { EngineHandlers, OpenArgs } from './engine-protocol.ts';
import { buildEventTable, type EventTable, rowText } from './event-table.ts';
import { GENERIC_PROFILE, GpuAccess } from './gpu-access.ts';
import type { Job } from './job.ts';
import { programView } from './program-view.ts';
import { RunService } from './run-service.ts';
import { spirvView } from './spirv-view.ts';
import { stateView } from './state-view.ts';
import { Timeline } from './timeline.ts';

interface Opened {
  readonly id: number;
  readonly open: OpenCapture;
  readonly names: CaptureNames;
  readonly table: EventTable;
  readonly runs: RunService;
  /** Memory with packets executed and dispatches not: at hand quickly for any event. */
  readonly packets: Timeline;
}

export class CaptureService {
  private opened: Opened | undefined;
  private readonly gpu = new GpuAccess();

  readonly handlers: EngineHandlers = {
    open: (args, job) => this.open(args, job),
    close: () => {
      this.release();
      return null;
    },
    'events.tree': () => this.tree(),
    'events.text': ({ from, count }) => this.texts(from, count),
    'events.find': ({ words }, job) => this.find(words, job),
    'events.packets': ({ event, from, count }) => this.packets(event, from, count),
    'events.state': ({ event }, job) => this.state(event, job),
    'shader.program': ({ event }, job) => this.program(event, job),
    'shader.spirv': ({ event }, job) => this.spirv(event, job),
    'run.dispatch': async ({ event, backend }, job) => (await this.opened?.runs.run(event, backend, job)) ?? null,
    'run.output': ({ event, backend, output, from, count }, job) =>
      this.needed().runs.output(event, backend, output, from, count, job),
    'run.wave': async ({ event, backend, wave }, job) =>
      (await this.opened?.runs.wave(event, backend, wave, job)) ?? null,
    'devices.list': (_args, job) => this.devices(job),
  };

  private needed(): Opened {
    if (!this.opened) throw new Error('no capture is open');
    return this.opened;
  }

  private release(): void {
    this.opened?.open.close();
    this.opened = undefined;
  }

  private async open({ path, id }: OpenArgs, job: Job): Promise<Outcome<CaptureSummary>> {
    job.report(0, 0, `opening ${basename(path)}`);
    const opened = openCapture(path);
    if (!opened.ok) return { ok: false, diagnostics: diagnosticViews(opened.error) };
    const open = opened.value;
    let table: EventTable;
    try {
      table = await buildEventTable(open, job);
    } catch (error) {
      open.close();
      throw error;
    }
    this.release();
    const names = new CaptureNames(open);
    const runs = new RunService(open, names, table, this.gpu);
    this.opened = { id, open, names, table, runs, packets: new Timeline(open, names) };
    const { capture } = open;
    return {
      ok: true,
      value: {
        id,
        path,
        name: basename(path),
        title: capture.title,
        producer: capture.producer,
        version: capture.version,
        target: capture.target,
        submits: capture.submits.length,
        events: table.events.length,
        dispatches: table.dispatches,
        mappedBytes: capture.segments.reduce((sum, s) => sum + s.memSize, 0),
        damage: diagnosticViews(capture.damage),
      },
    };
  }

  private tree() {
    const { id, table } = this.needed();
    const { kind, depth, event, end, rowOfEvent } = table.tree;
    return { captureId: id, kind, depth, event, end, rowOfEvent };
  }

  private texts(from: number, count: number): EventRowText[] {
    const { table, open, names } = this.needed();
    const rows = Math.max(0, Math.min(count, table.tree.kind.length - from));
    return Array.from({ length: rows }, (_, i) => rowText(table, open, names, from + i));
  }

  private async find(words: string, job: Job): Promise<Uint32Array> {
    const { table, open, names } = this.needed();
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const found: number[] = [];
    for (let row = 0; row < table.tree.kind.length; row++) {
      const { name, detail, shader, waveSize, problem } = rowText(table, open, names, row);
      const wave = waveSize === undefined ? '' : `wave${waveSize}`;
      const text = `${name} ${detail} ${shader ?? ''} ${wave} ${problem ?? ''}`.toLowerCase();
      if (wanted.every((word) => text.includes(word))) found.push(row);
      if ((row & 127) === 0) {
        job.report(row, table.tree.kind.length, 'searching events');
        await job.pause();
      }
    }
    return Uint32Array.from(found);
  }

  private packets(index: number, from: number, count: number): PacketPage {
    const { events } = this.needed().table;
    const event = events[index];
    if (!event) return { total: 0, from, packets: [], path: [] };
    const packets = packetsOfEvent(event, events[index - 1]);
    return {
      total: packets.length,
      from,
      packets: packets.slice(from, from + count).map(packetShape),
      path: event.path.map((s) => ({
        address: formatAddress(s.address),
        dwordOffset: s.dwordOffset,
        dwordCount: s.dwordCount,
      })),
    };
  }

  private async state(index: number, job: Job) {
    const { table, names } = this.needed();
    const linked = await this.link(index, job);
    return stateView({ table, names, ...(linked ? { memory: linked.memory, program: linked.program } : {}) }, index);
  }

  /** The program of a dispatch, from memory with the dispatches before it run where that is known, else without. */
  private async link(index: number, job: Job) {
    const { open, names, table, runs, packets } = this.needed();
    const event = table.events[index];
    if (event?.effect.kind !== 'dispatch') return undefined;
    const read = dispatchFromState(event.state, open.capture.target, event.effect.dispatch, event.packet?.address);
    if (!read.ok) return undefined;
    const executed = runs.knowsMemoryAt(index);
    const memory: GuestMemory = executed ? await runs.memoryAt(index, job) : await packets.memoryAt(index, job);
    const dispatch = read.value;
    const program = linkDispatch(dispatch, memory, {
      name: names.shader(dispatch.programAddress),
      registered: open.capture.shaders.map((s) => s.codeAddress),
    });
    return { program, dispatch, memory, linkedFrom: executed ? ('executed' as const) : ('packets' as const) };
  }

  private async program(event: number, job: Job): Promise<ProgramAnswer> {
    const { names, table, open } = this.needed();
    const linked = await this.link(event, job);
    if (linked) {
      const program = programView(linked.program, names, event, linked.linkedFrom);
      return { event, program, diagnostics: program.diagnostics };
    }
    const found = table.events[event];
    if (found?.effect.kind !== 'dispatch') return { event, diagnostics: [] };
    const read = dispatchFromState(found.state, open.capture.target, found.effect.dispatch, found.packet?.address);
    return { event, diagnostics: read.ok ? [] : diagnosticViews(read.error) };
  }

  private async spirv(event: number, job: Job): Promise<SpirvView> {
    const linked = await this.link(event, job);
    if (!linked) return { kind: 'unavailable', event, reason: 'the event is no dispatch', diagnostics: [] };
    job.report(0, 0, 'recompiling');
    const profile = this.gpu.profile;
    const target = profile
      ? { profile, name: this.gpu.name ?? 'device' }
      : { profile: GENERIC_PROFILE, name: 'no device, a common GPU' };
    return spirvView(event, linked.program, linked.dispatch, target);
  }

  private async devices(job: Job): Promise<DevicesView> {
    job.report(0, 0, 'looking for devices');
    const devices = await this.gpu.devices();
    // Also where the list is empty: then it names the drivers that failed.
    const engine = devices && (await this.gpu.open());
    const reason = engine ? (this.gpu.name ?? '') : (this.gpu.problem ?? 'no Vulkan device was found');
    const pid = this.gpu.hostPid;
    return {
      devices: (devices ?? []).map(({ index, name, driver, kind, unusable }) => ({
        index,
        name,
        driver,
        kind,
        ...(unusable === undefined ? {} : { unusable }),
      })),
      ...(engine ? {} : { problem: reason }),
      vulkan: { usable: engine !== undefined, reason },
      ...(pid === undefined ? {} : { hostPid: pid }),
    };
  }
}
