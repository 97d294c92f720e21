/**
 * Everything shown about the selected event, fetched in one place: packets, state, program, SPIR-V. Selecting another
 * event cancels what is still on its way, and a short pause keeps fast stepping from asking for what nobody sees.
 */
import { create } from 'zustand';
import type { PacketPage, ProgramAnswer, SpirvView, StateView } from '../../preload/contract/index.ts';
import { CallError, call } from '../connection/client.ts';
import { useWhyNothing } from './capture.ts';
import { callAsJob } from './jobs.ts';
import { failedTo, type Loadable, loaded, loading, NOTHING } from './loadable.ts';
import { logFailure } from './log.ts';
import { useSelection } from './selection.ts';

/** Packets of one event that are fetched at once. */
export const PACKET_PAGE = 400;
const SETTLE_MS = 25;

interface InspectState {
  readonly packets: Loadable<PacketPage & { readonly event: number }>;
  readonly state: Loadable<StateView & { readonly event: number }>;
  readonly program: Loadable<ProgramAnswer>;
  readonly spirv: Loadable<SpirvView>;
}

const EMPTY: InspectState = { packets: NOTHING, state: NOTHING, program: NOTHING, spirv: NOTHING };

export const useInspect = create<InspectState>(() => EMPTY);

/** Why no shader is shown, as the place where it would be says it; undefined while nothing is selected. */
export function useWhyNoShader(): string | undefined {
  const { value, isLoading, error } = useInspect((state) => state.program);
  const whyNothing = useWhyNothing('dispatch');
  if (error !== undefined) return error;
  if (isLoading) return 'Linking the shader…';
  return whyNothing ?? (value ? 'The selected event runs no shader that can be shown.' : undefined);
}

let current = new AbortController();

type Part = keyof InspectState;
type Value<P extends Part> = NonNullable<InspectState[P]['value']>;

async function fill<P extends Part>(part: P, abort: AbortController, work: () => Promise<Value<P>>): Promise<void> {
  try {
    const value = await work();
    if (!abort.signal.aborted) useInspect.setState({ [part]: loaded(value) } as Partial<InspectState>);
  } catch (error) {
    if (abort.signal.aborted) return;
    useInspect.setState({ [part]: failedTo(error) } as Partial<InspectState>);
    if (!(error instanceof CallError && error.isCancelled)) logFailure(part, error);
  }
}

async function inspect(event: number): Promise<void> {
  current.abort();
  const abort = new AbortController();
  current = abort;
  if (event < 0) {
    useInspect.setState(EMPTY);
    return;
  }
  const { packets, state, program, spirv } = useInspect.getState();
  useInspect.setState({
    packets: loading(packets),
    state: loading(state),
    program: loading(program),
    spirv: loading(spirv),
  });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  if (abort.signal.aborted) return;
  const { signal } = abort;
  const options = { signal };
  await Promise.all([
    fill('packets', abort, async () => ({ ...(await lastPackets(event, signal)), event })),
    fill('program', abort, () => callAsJob('Linking the shader', 'shader.program', { event }, follow(signal))),
    fill('state', abort, async () => ({ ...(await call('events.state', { event }, options)), event })),
  ]);
  if (!signal.aborted) await fillSpirv(event, abort);
}

/** The packets that come last are the nearest to the event, which is the last of them. */
async function lastPackets(event: number, signal: AbortSignal): Promise<PacketPage> {
  const ask = (from: number): Promise<PacketPage> =>
    call('events.packets', { event, from, count: PACKET_PAGE }, { signal });
  const page = await ask(0);
  return page.total > PACKET_PAGE ? ask(page.total - PACKET_PAGE) : page;
}

function fillSpirv(event: number, abort: AbortController): Promise<void> {
  return fill('spirv', abort, () => callAsJob('Recompiling', 'shader.spirv', { event }, follow(abort.signal)));
}

/** A controller that is aborted with a signal, and may be aborted alone: cancelling one job leaves the others. */
function follow(signal: AbortSignal): AbortController {
  const abort = new AbortController();
  if (signal.aborted) abort.abort();
  else signal.addEventListener('abort', () => abort.abort(), { once: true });
  return abort;
}

/** Asks again for everything of the selected event: the engine was restarted. */
export function inspectAgain(): void {
  void inspect(useSelection.getState().event);
}

/** The SPIR-V again: a device was opened, for which it is made now. */
export function recompileAgain(): void {
  const { event } = useSelection.getState();
  if (event < 0 || useInspect.getState().spirv.isLoading) return;
  useInspect.setState(({ spirv }) => ({ spirv: loading(spirv) }));
  void fillSpirv(event, current);
}

/**
 * The dispatches before the event have run: its code may be another than what the packets alone gave. Keeps what is
 * shown when it is the same.
 */
export async function relinkAfterRun(event: number): Promise<void> {
  const before = useInspect.getState().program.value;
  if (before?.event !== event || before.program?.linkedFrom !== 'packets') return;
  const abort = current;
  try {
    const answer = await call('shader.program', { event }, { signal: abort.signal });
    if (abort.signal.aborted) return;
    const isSame = answer.program?.key === before.program.key;
    if (isSame) {
      useInspect.setState({
        program: loaded({ ...before, program: { ...before.program, linkedFrom: 'executed' } }),
      });
    } else {
      useInspect.setState({ program: loaded(answer) });
      await fillSpirv(event, abort);
    }
  } catch (error) {
    if (!abort.signal.aborted) logFailure('program', error);
  }
}

export function startInspecting(): void {
  useSelection.subscribe(({ event }, before) => {
    if (event !== before.event) void inspect(event);
  });
}
