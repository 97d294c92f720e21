/**
 * Shader: the guest's code beside the SPIR-V that was made of it, with one selection in both. Where one side has no
 * counterpart, a sentence says so.
 */
import { useCallback, useMemo } from 'react';
import type { DiagnosticView, ProgramView, SpirvView } from '../../../preload/contract/index.ts';
import { type GcnListing, gcnListing } from '../../selectors/gcn-listing.ts';
import { counted, formatAddress } from '../../selectors/number-format.ts';
import { gravityOf, messageGroups } from '../../selectors/similar-messages.ts';
import { linesByAddress, linkText } from '../../selectors/spirv-map.ts';
import { useWhyNothing } from '../../stores/capture.ts';
import { useInspect, useWhyNoShader } from '../../stores/inspect.ts';
import { useRunFaults } from '../../stores/lanes.ts';
import { selectAddress, step, stepTarget, useSelection } from '../../stores/selection.ts';
import { Button } from '../../widgets/button.tsx';
import { CodeView } from '../../widgets/code-view.tsx';
import { Messages } from '../../widgets/messages.tsx';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import { Split } from '../../widgets/split.tsx';
import './shader.css';

const NO_LINES: readonly number[] = [];

function ShaderPanel() {
  const { value: answer, isLoading } = useInspect((state) => state.program);
  const { value: spirv, isLoading: isRecompiling, error: failure } = useInspect((state) => state.spirv);
  const whyNothing = useWhyNothing('dispatch');
  const whyNoShader = useWhyNoShader();
  const program = answer?.program;
  if (!program) {
    return (
      <Panel label="Shader" isBusy={isLoading}>
        <Messages label="Why there is no shader" diagnostics={answer?.diagnostics ?? []} />
        <Empty>
          <p>{whyNoShader ?? 'Select a dispatch to see its shader.'}</p>
          {whyNothing === undefined && <NextDispatch />}
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel label="Shader" isBusy={isLoading || isRecompiling} isFixed bar={<LinkBar program={program} spirv={spirv} />}>
      <div className="shader">
        <Messages
          label="Messages about this shader"
          diagnostics={answer.diagnostics}
          onPlace={(address) => selectAddress(address, 'list')}
        />
        <div className="shader__sides">
          <Split
            name="shader"
            label="Width of the guest code"
            left={<GcnSide program={program} />}
            right={<SpirvSide spirv={spirv} isLoading={isRecompiling} failure={failure} said={answer.diagnostics} />}
          />
        </div>
      </div>
    </Panel>
  );
}

function NextDispatch() {
  const target = useSelection(() => stepTarget(1, true));
  return (
    <Button
      label="Go to the next dispatch"
      kind="solid"
      shortcut="Ctrl+Shift+→"
      disabledReason={target < 0 ? 'there is no dispatch after this event' : undefined}
      onPress={() => step(1, true)}
    />
  );
}

function LinkBar({ program, spirv }: { readonly program: ProgramView; readonly spirv: SpirvView | undefined }) {
  const address = useSelection((state) => state.address);
  const spirvLine = useSelection((state) => state.spirvLine);
  const lines = useMemo(() => (spirv?.kind === 'ready' ? linesByAddress(spirv) : undefined), [spirv]);
  return (
    <>
      <strong className="clip">{program.name}</strong>
      <span className="tag">wave{program.waveSize}</span>
      <span className="tag">{program.target}</span>
      {!program.complete && <span className="tag tag--error">refused</span>}
      <span className="grow clip muted" role="status">
        {linkText(address, spirvLine, spirv, lines)}
      </span>
    </>
  );
}

function GcnSide({ program }: { readonly program: ProgramView }) {
  const listing = useMemo(() => gcnListing(program), [program]);
  const address = useSelection((state) => state.address);
  const line = address === null ? -1 : (listing.lineOfAddress.get(address) ?? -1);
  const selected = useMemo(() => (line < 0 ? NO_LINES : [line]), [line]);
  const around = useMemo(() => blockAround(listing, line), [listing, line]);
  const faults = useRunFaults(program.event);
  const marks = useMemo(() => {
    const ofRun = messageGroups(faults).flatMap(({ first }) => {
      const at = first.address === undefined ? undefined : listing.lineOfAddress.get(first.address);
      return at === undefined ? [] : [{ line: at, diagnostic: first }];
    });
    return [...listing.marks, ...ofRun].map(({ line: at, diagnostic }) => ({
      line: at,
      message: diagnostic.text,
      severity: gravityOf(diagnostic),
    }));
  }, [listing, faults]);
  const margin = useCallback(
    (at: number) => {
      const a = listing.addressOfLine[at] ?? -1;
      return a < 0 ? '' : formatAddress(a);
    },
    [listing],
  );
  const hover = useCallback((at: number) => listing.helpOfLine(at), [listing]);
  const onLine = useCallback(
    (at: number) => {
      const a = listing.addressOfLine[at] ?? -1;
      if (a >= 0) selectAddress(a, 'gcn');
    },
    [listing],
  );
  const count = program.listing.text.length;
  return (
    <div className="shader__side">
      <div className="shader__head">
        <strong>GCN</strong>
        <span className="muted clip">
          {counted(count, 'instruction')}, {counted(program.blocks.length, 'block')}
          {program.linkedFrom === 'packets' ? ', as it was before earlier dispatches ran' : ''}
        </span>
      </div>
      <CodeView
        label="Guest code"
        language="gcn"
        text={listing.text}
        margin={margin}
        marginWidth={Math.max(8, formatAddress(program.entryAddress).length + 1)}
        selected={selected}
        primary={line}
        around={around}
        marks={marks}
        hover={hover}
        onLine={onLine}
      />
    </div>
  );
}

function blockAround(listing: GcnListing, line: number): { readonly from: number; readonly to: number } | undefined {
  const block = listing.blockOfLine[line] ?? -1;
  if (block < 0) return undefined;
  let from = line;
  let to = line;
  while (listing.blockOfLine[from - 1] === block) from--;
  while (listing.blockOfLine[to + 1] === block) to++;
  return { from, to };
}

interface SpirvSideProps {
  readonly spirv: SpirvView | undefined;
  readonly isLoading: boolean;
  /** Why it could not be asked for. */
  readonly failure: string | undefined;
  /** Messages that are shown above both sides already. */
  readonly said: readonly DiagnosticView[];
}

function SpirvSide({ spirv, isLoading, failure, said }: SpirvSideProps) {
  const address = useSelection((state) => state.address);
  const spirvLine = useSelection((state) => state.spirvLine);
  const ready = spirv?.kind === 'ready' ? spirv : undefined;
  const text = useMemo(() => ready?.lines.join('\n') ?? '', [ready]);
  const lines = useMemo(() => (ready ? linesByAddress(ready) : undefined), [ready]);
  const selected = useMemo(() => {
    if (address !== null) return lines?.get(address) ?? NO_LINES;
    return spirvLine === null ? NO_LINES : [spirvLine];
  }, [lines, address, spirvLine]);
  const onLine = useCallback(
    (line: number) => {
      const from = ready?.address[line] ?? -1;
      selectAddress(from < 0 ? null : from, 'spirv', line);
    },
    [ready],
  );
  const hover = useCallback(
    (line: number) => {
      const from = ready?.address[line] ?? -1;
      return [from < 0 ? 'from no guest instruction' : `from \`${formatAddress(from)}\``];
    },
    [ready],
  );
  return (
    <div className="shader__side">
      <div className="shader__head">
        <strong>SPIR-V</strong>
        <span className="muted clip">
          {ready ? `${ready.lines.length.toLocaleString('en')} lines for ${ready.profile}` : ''}
        </span>
      </div>
      {ready ? (
        <CodeView
          label="SPIR-V"
          language="spirv"
          text={text}
          marginWidth={5}
          selected={selected}
          primary={spirvLine !== null && selected.includes(spirvLine) ? spirvLine : (selected[0] ?? -1)}
          hover={hover}
          onLine={onLine}
        />
      ) : (
        <div className="shader__none">
          {spirv?.kind === 'unavailable' && (
            <Messages
              label="Why there is no SPIR-V"
              diagnostics={spirv.diagnostics.filter((d) => !said.some((s) => s.text === d.text))}
              onPlace={(at) => selectAddress(at, 'list')}
            />
          )}
          <Empty>
            <p>
              {isLoading
                ? 'Recompiling…'
                : `No SPIR-V: ${spirv?.kind === 'unavailable' ? spirv.reason : (failure ?? 'it was not asked for')}.`}
            </p>
          </Empty>
        </div>
      )}
    </div>
  );
}

export const SHADER_PANEL: PanelDefinition = { id: 'shader', title: 'Shader', Component: ShaderPanel };
