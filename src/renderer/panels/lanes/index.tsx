/** Lanes: what the selected dispatch left in memory and in the registers of every lane, and how that compares. */
import type { RunView } from '../../../preload/contract/index.ts';
import { FORMAT_NAMES, NUMBER_FORMATS } from '../../selectors/number-format.ts';
import { useDevices } from '../../stores/devices.ts';
import {
  type Comparison,
  otherBackend,
  runSelected,
  setBackend,
  setComparison,
  setFormat,
  setLanesView,
  useLanes,
} from '../../stores/lanes.ts';
import { selectAddress } from '../../stores/selection.ts';
import { Button, Segmented, Select } from '../../widgets/button.tsx';
import { Empty, Messages, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import { OutputGrid } from './output-grid.tsx';
import { RegisterGrid } from './register-grid.tsx';
import './lanes.css';

function LanesPanel() {
  const run = useLanes((state) => state.run);
  const view = useLanes((state) => state.view);
  const waiting = useLanes((state) => state.waiting);
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
          <p>{error ?? (isLoading ? 'Running…' : (waiting ?? 'Select a dispatch to see what its lanes computed.'))}</p>
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
  const facts = [
    run.waves.total > 0 ? `${run.waves.total.toLocaleString('en')} ${run.waves.total === 1 ? 'wave' : 'waves'}` : '',
    run.instructions > 0 ? `${run.instructions.toLocaleString('en')} instructions` : '',
    run.milliseconds > 0
      ? `${run.milliseconds < 10 ? run.milliseconds.toFixed(1) : Math.round(run.milliseconds)} ms`
      : '',
    run.cache ? `prepared shader: cache ${run.cache}` : '',
  ];
  return (
    <div className="lanes__head">
      <span className={`tag ${run.status === 'completed' ? 'tag--ok' : 'tag--error'}`}>{STATUSES[run.status]}</span>
      <span className={`tag ${tag}`}>{text}</span>
      <span className="clip grow" title={run.message}>
        {run.message}
      </span>
      <span className="muted clip">{facts.filter(Boolean).join(' · ')}</span>
    </div>
  );
}

function LanesBar() {
  const { backend, comparison, format, view, run } = useLanes();
  const devices = useDevices((state) => state.view);
  const noDevice = devices
    ? devices.vulkan.usable
      ? undefined
      : `not available: ${devices.vulkan.reason}`
    : 'devices are still being looked for';
  const other = otherBackend(backend) === 'reference' ? 'the reference' : 'the device';
  const hasOther = backend === 'vulkan' || noDevice === undefined;
  const comparisons: { value: Comparison; label: string; disabled?: boolean }[] = [
    { value: 'expected', label: 'what the capture expects' },
    { value: 'before', label: 'memory before' },
    {
      value: 'other',
      label: hasOther ? other : `${other}, ${noDevice}`,
      disabled: !hasOther,
    },
    { value: 'none', label: 'nothing' },
  ];
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
      {view === 'outputs' && (
        <Select
          label="Compare with"
          value={comparison}
          options={comparisons}
          onChange={(value) => setComparison(value as Comparison)}
        />
      )}
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
