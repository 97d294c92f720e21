/** State: registers before the selected event; for dispatches what they mean, and the user SGPRs. */
import { type MouseEvent, type ReactNode, useMemo, useState } from 'react';
import type { RegisterChangeView, StateView, UserSgprView } from '../../../preload/contract/index.ts';
import { fieldText } from '../../selectors/packet-rows.ts';
import { useWhyNothing } from '../../stores/capture.ts';
import { useInspect } from '../../stores/inspect.ts';
import { selectAddress } from '../../stores/selection.ts';
import { Segmented } from '../../widgets/button.tsx';
import { contextElement, showContextMenu } from '../../widgets/context-menu.tsx';
import { copyEntry } from '../../widgets/copy-entry.ts';
import { Icon } from '../../widgets/icon.tsx';
import { Messages } from '../../widgets/messages.tsx';
import { Empty, Panel } from '../../widgets/panel.tsx';
import type { PanelDefinition } from '../../widgets/panel-definition.ts';
import './state.css';

const VIEWS = ['dispatch', 'changes', 'all'] as const;
type View = (typeof VIEWS)[number];

/** Registers shown at most; a filter narrows them. */
const MAX_REGISTERS = 600;

function StatePanel() {
  const { value: state, isLoading, error } = useInspect((s) => s.state);
  const whyNothing = useWhyNothing('event');
  const [wanted, setView] = useState<View>('dispatch');
  const [filter, setFilter] = useState('');
  if (!state) {
    return (
      <Panel label="State" isBusy={isLoading}>
        <Empty>
          {error ??
            (isLoading ? 'Reading registers…' : (whyNothing ?? 'Select an event to see the registers before it.'))}
        </Empty>
      </Panel>
    );
  }
  const view = wanted === 'dispatch' && !state.dispatch ? 'changes' : wanted;
  return (
    <Panel
      label="State"
      isBusy={isLoading}
      bar={
        <>
          <Segmented
            label="What is shown"
            value={view}
            onChange={setView}
            options={[
              {
                value: 'dispatch',
                label: 'Dispatch',
                disabledReason: state.dispatch ? undefined : `this event is no dispatch but ${state.kind}`,
              },
              { value: 'changes', label: `Changed ${state.changes.length}` },
              { value: 'all', label: `All ${state.registers.length}` },
            ]}
          />
          {view !== 'dispatch' && (
            <div className="search grow">
              <Icon name="search" size={14} />
              <input
                className="field"
                type="search"
                placeholder="Filter registers"
                aria-label="Filter registers by name"
                value={filter}
                onChange={(e) => setFilter(e.target.value)}
              />
            </div>
          )}
        </>
      }
    >
      <div onContextMenu={onContextMenu}>
        <Messages
          label="Messages about this event"
          diagnostics={state.diagnostics}
          onPlace={(a) => selectAddress(a, 'list')}
        />
        {view === 'dispatch' && state.dispatch && <DispatchView dispatch={state.dispatch} />}
        {view === 'changes' && <ChangesView changes={state.changes} filter={filter} />}
        {view === 'all' && <RegistersView registers={state.registers} filter={filter} />}
      </div>
    </Panel>
  );
}

/** Rows are copied as they are drawn: what stands beside each other is separated by tabs. */
function rowText(row: Element): string {
  return Array.from(row.children, (cell) => cell.textContent?.trim() ?? '').join('\t');
}

function onContextMenu(event: MouseEvent): void {
  const row = contextElement(event, 'tr, .state-list > div');
  const whole = contextElement(event, 'table, .state-list');
  if (!row || !whole) return;
  const table = (): string => Array.from(whole.querySelectorAll('tr, .state-list > div'), rowText).join('\n');
  showContextMenu(event, 'State', [copyEntry('Copy the row', () => rowText(row)), copyEntry('Copy the table', table)]);
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="state-section">
      <h3 className="state-section__title">{title}</h3>
      {children}
    </div>
  );
}

function DispatchView({ dispatch }: { readonly dispatch: NonNullable<StateView['dispatch']> }) {
  const groups = [...new Set(dispatch.properties.map((p) => p.group))];
  return (
    <div className="state-sections">
      {groups.map((group) => (
        <Section key={group} title={group}>
          <dl className="state-list">
            {dispatch.properties
              .filter((p) => p.group === group)
              .map((p) => (
                <div key={p.name}>
                  <dt>{p.name}</dt>
                  <dd className="mono">{p.value}</dd>
                </div>
              ))}
          </dl>
        </Section>
      ))}
      <Section title="User SGPRs">
        {dispatch.userSgprs.length === 0 ? (
          <p className="muted state-none">none</p>
        ) : (
          <UserSgprs list={dispatch.userSgprs} />
        )}
      </Section>
    </div>
  );
}

function UserSgprs({ list }: { readonly list: readonly UserSgprView[] }) {
  return (
    <table className="state-table">
      <thead>
        <tr>
          <th scope="col">Register</th>
          <th scope="col">Value</th>
          <th scope="col">Known</th>
        </tr>
      </thead>
      <tbody>
        {list.map((sgpr) => (
          <tr key={sgpr.register}>
            <td className="mono state-register">{sgpr.register}</td>
            <td className="mono">{sgpr.value}</td>
            <td>{sgpr.note ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function matches(name: string, filter: string): boolean {
  return name.toLowerCase().includes(filter.trim().toLowerCase());
}

function ChangesView({
  changes,
  filter,
}: {
  readonly changes: readonly RegisterChangeView[];
  readonly filter: string;
}) {
  const shown = changes.filter((c) => matches(c.name, filter));
  if (shown.length === 0) {
    return (
      <Empty>{filter ? 'No register with this name changed.' : 'Nothing changed since the dispatch before.'}</Empty>
    );
  }
  return (
    <div className="state-tables">
      <WideTable columns={['Register', 'Before', 'Now', 'Written by']}>
        {shown.slice(0, MAX_REGISTERS).map((c) => (
          <tr key={c.index} role="row" className={c.kind === 'redundant' ? 'state-redundant' : undefined}>
            <td role="cell" className="state-register" title={`register ${c.index}`}>
              {c.name}
            </td>
            <td role="cell" className="mono">
              {c.before ?? '–'}
            </td>
            <td role="cell" className="mono">
              {c.after ?? '–'}
            </td>
            <td role="cell">
              {c.kind === 'redundant' ? 'same value, ' : ''}
              {c.writer}
            </td>
          </tr>
        ))}
      </WideTable>
    </div>
  );
}

/** Roles are said, because the narrow form takes the elements' own away. */
function WideTable({ columns, children }: { readonly columns: readonly string[]; readonly children: ReactNode }) {
  return (
    <table className="state-table state-table--wide" role="table">
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column} scope="col" role="columnheader">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}

function RegistersView({ registers, filter }: { readonly registers: StateView['registers']; readonly filter: string }) {
  const shown = useMemo(() => registers.filter((r) => matches(r.name, filter)), [registers, filter]);
  if (shown.length === 0)
    return <Empty>{filter ? 'No register has this name.' : 'No register was written yet.'}</Empty>;
  return (
    <div className="state-tables">
      <WideTable columns={['Register', 'Value', 'Fields', 'Written by']}>
        {shown.slice(0, MAX_REGISTERS).map((r) => (
          <tr key={r.index} role="row">
            <td role="cell" className="state-register" title={`register ${r.index}`}>
              {r.name}
            </td>
            <td role="cell" className="mono">
              {r.value}
            </td>
            <td role="cell">
              {r.fields
                .filter((f) => f.value !== 0 && r.fields.length > 1)
                .map((f) => `${f.name} ${fieldText(f)}`)
                .join(', ')}
            </td>
            <td role="cell">{r.writer}</td>
          </tr>
        ))}
      </WideTable>
      {shown.length > MAX_REGISTERS && (
        <p className="muted state-none">The first {MAX_REGISTERS} are shown; filter to see others.</p>
      )}
    </div>
  );
}

export const STATE_PANEL: PanelDefinition = { id: 'state', title: 'State', Component: StatePanel };
