/** Final registers of one wave: vector registers by lane, or lanes by register, and the scalars beside them. */
import { Fragment, useMemo, useRef } from 'react';
import type { RunView, WaveView } from '../../../preload/contract/index.ts';
import { isActive, registersTsv } from '../../selectors/lane-grid.ts';
import { FORMAT_WIDTH, formatWord } from '../../selectors/number-format.ts';
import { setTransposed, setWave, useLanes } from '../../stores/lanes.ts';
import { Button, Select } from '../../widgets/button.tsx';
import { Empty } from '../../widgets/panel.tsx';
import { useKeptScroll } from '../../widgets/use-kept-scroll.ts';
import { useGridKeys } from './use-grid-keys.ts';

export function RegisterGrid({ run }: { readonly run: RunView }) {
  const { registers, wave, isTransposed } = useLanes();
  if (run.waves.count === 0) {
    return <Empty>No wave of this dispatch ended.</Empty>;
  }
  const known = registers.value;
  const value = known?.event === run.event && known.backend === run.backend ? known : undefined;
  const active = value ? countActive(value) : 0;
  return (
    <>
      <div className="lanes__head">
        <Select
          label="Wave"
          value={String(wave)}
          options={Array.from({ length: Math.min(run.waves.count, 4096) }, (_, i) => ({
            value: String(i),
            label: `group ${run.waves.workgroup.subarray(3 * i, 3 * i + 3).join(',')} wave ${run.waves.index[i]}`,
          }))}
          onChange={(text) => setWave(Number(text))}
        />
        {value && (
          <span className="muted">
            {active} of {value.waveSize} lanes active at the end
          </span>
        )}
        {run.waves.total > run.waves.count && (
          <span className="muted">
            the first {run.waves.count.toLocaleString('en')} of {run.waves.total.toLocaleString('en')} waves are kept
          </span>
        )}
        <span className="grow" />
        <Button
          label="Lanes as rows"
          kind="solid"
          pressed={isTransposed}
          onPress={() => setTransposed(!isTransposed)}
        />
      </div>
      {value ? <Registers wave={value} isTransposed={isTransposed} /> : <Empty>{registers.error ?? 'Reading…'}</Empty>}
    </>
  );
}

function countActive(wave: WaveView): number {
  let count = 0;
  for (let lane = 0; lane < wave.waveSize; lane++) if (isActive(wave, lane)) count++;
  return count;
}

function Registers({ wave, isTransposed }: { readonly wave: WaveView; readonly isTransposed: boolean }) {
  const format = useLanes((state) => state.format);
  const frame = useRef<HTMLDivElement>(null);
  useKeptScroll(frame);
  const lanes = wave.waveSize;
  const rows = isTransposed ? lanes : wave.vectors.length;
  const columns = isTransposed ? wave.vectors.length : lanes;
  const { cursor, move, onKeyDown, onContextMenu } = useGridKeys({
    rows,
    columns,
    onMove: ({ row, column }) =>
      frame.current
        ?.querySelector(`#register-${row}-${column}`)
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    table: () => registersTsv(wave, format),
    cell: ({ row, column }) => {
      const { register, lane } = at(row, column);
      return formatWord(wave.values[register * lanes + lane]!, format);
    },
  });
  const longest = useMemo(() => {
    if (format === 'hex') return FORMAT_WIDTH.hex;
    let most = 4;
    for (const word of wave.values) most = Math.max(most, formatWord(word, format).length);
    return most;
  }, [wave, format]);
  const width = Math.ceil(longest * 7.3) + 14;
  const at = (row: number, column: number): { readonly register: number; readonly lane: number } =>
    isTransposed ? { register: column, lane: row } : { register: row, lane: column };
  const rowName = (row: number): string => (isTransposed ? `lane ${row}` : wave.vectors[row]!);
  const columnName = (column: number): string => (isTransposed ? wave.vectors[column]! : String(column));
  return (
    <div className="registers">
      <div
        ref={frame}
        className="grid grid--table"
        role="grid"
        aria-label="Vector registers by lane"
        aria-rowcount={rows + 1}
        aria-colcount={columns + 1}
        aria-activedescendant={`register-${cursor.row}-${cursor.column}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <div className="grid__row grid__row--head" role="row">
          <span className="grid__head grid__head--corner" role="columnheader">
            {isTransposed ? 'lane' : 'register'}
          </span>
          {Array.from({ length: columns }, (_, column) => (
            <span
              key={columnName(column)}
              className="grid__cell grid__cell--head"
              role="columnheader"
              style={{ width }}
            >
              {columnName(column)}
            </span>
          ))}
        </div>
        {Array.from({ length: rows }, (_, row) => (
          <div key={rowName(row)} className="grid__row" role="row">
            <span className="grid__head mono" role="rowheader">
              {rowName(row)}
            </span>
            {Array.from({ length: columns }, (_, column) => {
              const { register, lane } = at(row, column);
              const isOn = isActive(wave, lane);
              const isCursor = row === cursor.row && column === cursor.column;
              return (
                <span
                  key={`${register} ${lane}`}
                  id={`register-${row}-${column}`}
                  data-cell={`${row} ${column}`}
                  className={`grid__cell mono ${isOn ? '' : 'grid__cell--inactive'} ${isCursor ? 'grid__cell--active' : ''}`}
                  role="gridcell"
                  aria-label={
                    isOn ? undefined : `${formatWord(wave.values[register * lanes + lane]!, format)}, inactive lane`
                  }
                  style={{ width }}
                  onClick={() => move(row, column)}
                >
                  {formatWord(wave.values[register * lanes + lane]!, format)}
                </span>
              );
            })}
          </div>
        ))}
      </div>
      <section className="scalars" aria-label="Scalar registers" tabIndex={0}>
        <dl className="scalars__list mono">
          {wave.scalars.map(({ name, value }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{formatWord(value, format)}</dd>
            </Fragment>
          ))}
        </dl>
      </section>
    </div>
  );
}
