/** Registers before an event as the State panel shows them; for dispatches also what they mean. */
import type { StateView, UserSgprView } from '../../../preload/contract/capture.ts';
import type { ComputeDispatch } from '../../base/dispatch.ts';
import { addressFromHalves, formatAddress } from '../../base/guest-address.ts';
import { EXECUTE, type GuestMemory, READ, WRITE } from '../../base/guest-memory.ts';
import { dispatchFromState } from '../../driver/dispatch-state.ts';
import { changeShapes, eventSummary, hex32, stateShape } from '../../pm4/format.ts';
import { GpuState } from '../../pm4/gpu-state.ts';
import type { Program } from '../../program/program.ts';
import type { CaptureNames } from '../replay.ts';
import { diagnosticViews } from './diagnostic-view.ts';
import { type EventTable, previousAction } from './event-table.ts';

export interface StateContext {
  readonly table: EventTable;
  readonly names: CaptureNames;
  /** Memory from which notes on user data are made, and the program that it gives; absent for events without dispatch. */
  readonly memory?: GuestMemory;
  readonly program?: Program;
}

export function stateView(context: StateContext, index: number): StateView {
  const { table } = context;
  const event = table.events[index]!;
  const { target } = table.processor;
  const addressOf = table.processor.packetAddress.bind(table.processor);
  const before = previousAction(table, index)?.state ?? GpuState.EMPTY;
  const { effect } = event;
  const read =
    effect.kind === 'dispatch'
      ? dispatchFromState(event.state, target, effect.dispatch, event.packet?.address)
      : undefined;
  const diagnostics = [...event.diagnostics, ...(read && !read.ok ? read.error : [])];
  return {
    kind: effect.kind,
    summary: eventSummary(event),
    markers: event.markers,
    diagnostics: diagnosticViews(diagnostics),
    ...(read?.ok
      ? { dispatch: { properties: propertiesOf(read.value, context.names), userSgprs: userSgprs(read.value, context) } }
      : {}),
    changes: changeShapes(before.changesTo(event.state), target, addressOf),
    registers: stateShape(event.state, target, addressOf),
  };
}

type Property = NonNullable<StateView['dispatch']>['properties'][number];

const ROUND = ['nearest even', 'towards +∞', 'towards −∞', 'towards zero'];
const DENORMALS = ['flushed', 'kept in, flushed out', 'flushed in, kept out', 'kept'];

function propertiesOf(d: ComputeDispatch, names: CaptureNames): Property[] {
  const list: Property[] = [];
  const add = (group: string, entries: readonly (readonly [string, string])[]): void => {
    for (const [name, value] of entries) list.push({ group, name, value });
  };
  const yes = (flag: boolean): string => (flag ? 'yes' : 'no');
  const name = names.shader(d.programAddress);
  const address = formatAddress(d.programAddress);
  const waves = Math.ceil((d.threads[0] * d.threads[1] * d.threads[2]) / d.waveSize);
  add('Program', [
    ['Shader', name === address ? address : `${name} at ${address}`],
    ['Target', d.target],
    ['Wave size', String(d.waveSize)],
  ]);
  add('Grid', [
    ['Groups', d.groups.join(' × ')],
    ['Threads per group', d.threads.join(' × ')],
    ['Waves per group', String(waves)],
    ...(d.groupStart.some((s) => s !== 0) ? [['First group', d.groupStart.join(', ')] as const] : []),
    ...(d.partialThreads.some((t, i) => t !== d.threads[i])
      ? [['Last group', d.partialThreads.join(' × ')] as const]
      : []),
  ]);
  const ids = ['X', 'Y', 'Z'].filter((_, axis) => d.tgidEnable[axis]);
  add('Launch', [
    ['User SGPRs', String(d.userSgprs.length)],
    ['Group ids in SGPRs', ids.length > 0 ? ids.join(' ') : 'none'],
    ['Group size in SGPR', yes(d.tgSizeEnable)],
    ['Local ids in VGPRs', String(d.localIdCount)],
    ['LDS', `${d.ldsBytes} bytes`],
    ['Scratch per wave', d.scratchEnable ? `${d.scratchBytesPerWave} bytes` : 'none'],
  ]);
  const { floatMode, dx10Clamp, ieee, fp16Overflow } = d.float;
  add('Float mode', [
    ['Round f32', ROUND[floatMode & 3]!],
    ['Round f16, f64', ROUND[(floatMode >> 2) & 3]!],
    ['Denormals f32', DENORMALS[(floatMode >> 4) & 3]!],
    ['Denormals f16, f64', DENORMALS[(floatMode >> 6) & 3]!],
    ['DX10 clamp', yes(dx10Clamp)],
    ['IEEE', yes(ieee)],
    ...(d.target === 'gfx700' ? [] : [['FP16 overflow', yes(fp16Overflow)] as const]),
  ]);
  return list;
}

/** Notes say what is known: a pair through which the program calls, or one whose 48 bits are a mapped address. */
function userSgprs(d: ComputeDispatch, { names, memory, program }: StateContext): UserSgprView[] {
  const calls = new Map<number, string>();
  for (const call of program?.calls ?? []) {
    for (const target of call.targets) {
      if (target.evidence.kind === 'userData') calls.set(target.evidence.first, names.shader(target.address));
    }
  }
  return Array.from(d.userSgprs, (value, i) => {
    const note = noteOf(d, i, calls, names, memory);
    const view = { register: `s${i}`, value: hex32(value) };
    return note === undefined ? view : { ...view, note };
  });
}

function noteOf(
  d: ComputeDispatch,
  first: number,
  calls: ReadonlyMap<number, string>,
  names: CaptureNames,
  memory: GuestMemory | undefined,
): string | undefined {
  const high = d.userSgprs[first + 1];
  if (first % 2 !== 0 || high === undefined) return undefined;
  const address = addressFromHalves(d.userSgprs[first]!, high);
  const pair = `s[${first}:${first + 1}]`;
  const callee = calls.get(first);
  if (callee !== undefined) return `${pair} → call target ${callee}`;
  const extent = memory?.extentAt(address);
  if (!extent || address === 0) return undefined;
  const name = names.shader(address);
  const p = extent.permissions;
  const permissions = `${p & READ ? 'r' : '-'}${p & WRITE ? 'w' : '-'}${p & EXECUTE ? 'x' : '-'}`;
  const where = name === formatAddress(address) ? name : `${name} (${formatAddress(address)})`;
  return `${pair} low 48 bits → ${where}, mapped ${permissions}`;
}
