/** Lanes: what the selected dispatch left in memory and in the registers of every lane, and how that compares. */
import type { RunView } from '../../../preload/contract/index.ts';
import { counted, FORMAT_NAMES, NUMBER_FORMATS } from '../../selectors/number-format.ts';
import { useWhyNothing } from '../../stores/capture.ts';
import { useWhyNoDevice } from '../../stores/devices.ts';
import { cancelRun, runSelected, setBackend, setFormat, setLanesView, useLanes } from '../../stores/lanes.ts';
import { selectAddress } from '../../stores/selection.ts';
import { Button, Segmented } from '../../widgets/button.tsx';
import { Messages } from '../../widgets/messages.tsx';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import { OutputGrid } from './output-grid.tsx';
import { RegisterGrid } from './register-grid.tsx';
import './lanes.css';

function LanesPanel() {
  const run = useLanes((state) => state.run);
  const view = useLanes((state) => state.view);
  const waiting = useLanes((state) => state.waiting);
  const whyNothing = useWhyNothing('dispatch');
  const { value, isLoading, error } = run;
  return (
    <Panel label="Lanes" isBusy={isLoading} isFixed wrapBar bar={<LanesBar />}>
      {value ? (
        <div className="lanes">
          <RunHead run={value} />
          {value.status !== 'completed' && (
            <Messages
              label="Why the run did not complete"
              diagnostics={value.diagnostics}
              onPlace={(address) => selectAddress(address, 'list')}
            />
          )}
          {view === 'outputs' ? <OutputGrid run={value} /> : <RegisterGrid run={value} />}
        </div>
      ) : (
        <Empty>
          <p>
            {error ??
              (isLoading ? 'Running…' : (waiting ?? whyNothing ?? 'Select a dispatch to see what its lanes computed.'))}
          </p>
          {isLoading && <Button label="Cancel" icon="stop" kind="solid" onPress={cancelRun} />}
          {(waiting !== null || error !== undefined) && !isLoading && (
            <Button label="Run" icon="play" kind="primary" onPress={() => void runSelected()} />
          )}
        </Empty>
      )}
    </Panel>
  );
}

const VERDICTS: Readonly<Record<RunView['verdict'], readonly [text: string, tag: string]>> = {
  equal: ['as expected', 'tag--ok'],
  differs: ['differs from what is expected', 'tag--error'],
  refused: ['refused, as expected', 'tag--ok'],
  unexpected: ['not as expected', 'tag--error'],
  unchecked: ['nothing to compare with', ''],
};

const STATUSES: Readonly<Record<RunView['status'], string>> = {
  completed: 'completed',
  faulted: 'faulted',
  limit: 'limit reached',
  refused: 'refused',
  unsupported: 'not supported',
  device: 'device failed',
};

function RunHead({ run }: { readonly run: RunView }) {
  const [text, tag] = VERDICTS[run.verdict];
  // What stopped it stands in the messages below.
  const isSaid = run.diagnostics.some((d) => d.text === run.message);
  const facts = [
    run.waves.total > 0 ? counted(run.waves.total, 'wave') : '',
    run.instructions === undefined ? '' : counted(run.instructions, 'instruction'),
    run.milliseconds > 0
      ? `${run.milliseconds < 10 ? run.milliseconds.toFixed(1) : Math.round(run.milliseconds)} ms`
      : '',
    run.cache ? `prepared shader: cache ${run.cache}` : '',
  ];
  return (
    <div className="lanes__head lanes__head--run">
      <span className={`tag ${run.status === 'completed' ? 'tag--ok' : 'tag--error'}`}>{STATUSES[run.status]}</span>
      <span className={`tag ${tag}`}>{text}</span>
      <span className="clip grow">{isSaid ? '' : run.message}</span>
      <span className="muted clip">{facts.filter(Boolean).join(' · ')}</span>
    </div>
  );
}

function LanesBar() {
  const { backend, format, view, run } = useLanes();
  const noDevice = useWhyNoDevice();
  return (
    <>
      <Segmented
        label="What is shown"
        value={view}
        onChange={setLanesView}
        options={[
          { value: 'outputs', label: 'Outputs' },
          { value: 'registers', label: 'Registers' },
        ]}
      />
      <Segmented
        label="Engine"
        value={backend}
        onChange={setBackend}
        options={[
          { value: 'reference', label: 'Reference' },
          { value: 'vulkan', label: 'Vulkan', disabledReason: noDevice },
        ]}
      />
      <Segmented
        label="Number format"
        value={format}
        onChange={setFormat}
        options={NUMBER_FORMATS.map((value) => ({ value, label: FORMAT_NAMES[value] }))}
      />
      <span className="grow" />
      <Button
        label="Run again"
        icon="play"
        iconOnly
        disabledReason={run.isLoading ? 'it is running' : run.value ? undefined : 'no dispatch is selected'}
        onPress={() => void runSelected()}
      />
    </>
  );
}

export const LANES_PANEL: PanelDefinition = { id: 'lanes', title: 'Lanes', Component: LanesPanel };
