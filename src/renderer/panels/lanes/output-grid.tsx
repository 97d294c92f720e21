/** The words of one output, in rows of as many columns as fit, a power of two; columns are lanes where that is known. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { OutputPage, OutputView, RunView } from '../../../preload/contract/index.ts';
import {
  type CompareWith,
  countDifferences,
  firstThreadOf,
  outputCell,
  outputTsv,
  rowHead,
} from '../../selectors/lane-grid.ts';
import { counted, FORMAT_WIDTH, formatAddress, formatWord } from '../../selectors/number-format.ts';
import { useWhyNoDevice } from '../../stores/devices.ts';
import {
  type Comparison,
  otherBackend,
  PAGE_WORDS,
  setComparison,
  setFirstWord,
  setOutput,
  useLanes,
} from '../../stores/lanes.ts';
import { Button, Select } from '../../widgets/button.tsx';
import { Empty } from '../../widgets/panel.tsx';
import { useKeptScroll } from '../../widgets/use-kept-scroll.ts';
import { useGridKeys } from './use-grid-keys.ts';

const ROW_HEIGHT = 21;
/** Widths of a character: of cells, and of the smaller heads of rows. */
const CHARACTER = 7.3;
const HEAD_CHARACTER = 6.7;

function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

export function OutputGrid({ run }: { readonly run: RunView }) {
  const { output, firstWord, comparison, page, otherPage } = useLanes();
  if (run.outputs.length === 0) {
    return (
      <Empty>{run.status === 'completed' ? 'The dispatch wrote no memory.' : 'There are no results to show.'}</Empty>
    );
  }
  const compare: CompareWith =
    comparison === 'other'
      ? otherPage.value
        ? { kind: 'other', words: otherPage.value.after }
        : { kind: 'none' }
      : { kind: comparison };
  const words = run.outputs[output]?.words ?? 0;
  const current = page.value?.event === run.event ? page.value : undefined;
  return (
    <>
      <div className="lanes__head">
        <Select
          label="Output"
          value={String(output)}
          options={run.outputs.map((o, i) => ({
            value: String(i),
            label: outputName(o),
          }))}
          onChange={(value) => setOutput(Number(value))}
        />
        <CompareWithSelect />
        {current && <Differences page={current} compare={compare} />}
        {otherPage.error && <span className="tag tag--error clip">{otherPage.error}</span>}
        <span className="grow" />
        {words > PAGE_WORDS && <Pages words={words} firstWord={firstWord} />}
      </div>
      {current ? (
        <Grid page={current} compare={compare} waveSize={run.waveSize} />
      ) : (
        <Empty>{page.error ?? 'Reading…'}</Empty>
      )}
    </>
  );
}

function CompareWithSelect() {
  const { backend, comparison } = useLanes();
  const noDevice = useWhyNoDevice();
  const other = otherBackend(backend) === 'reference' ? 'the reference' : 'the device';
  const hasOther = backend === 'vulkan' || noDevice === undefined;
  const options: { value: Comparison; label: string; disabled?: boolean }[] = [
    { value: 'expected', label: 'expected values' },
    { value: 'before', label: 'memory before' },
    { value: 'other', label: hasOther ? other : `${other}, not available`, disabled: !hasOther },
    { value: 'none', label: 'nothing' },
  ];
  return (
    <Select
      label="Compare with"
      value={comparison}
      options={options}
      onChange={(value) => setComparison(value as Comparison)}
    />
  );
}

function outputName({ address, label, words, written, expected }: OutputView): string {
  const facts = [
    `${formatAddress(address)}${label ? ` ${label}` : ''}`,
    counted(words, 'word'),
    ...(expected > 0 ? ['expected'] : []),
    ...(written === 0 ? ['not written'] : []),
  ];
  return facts.join(', ');
}

function Pages({ words, firstWord }: { readonly words: number; readonly firstWord: number }) {
  const last = Math.min(words, firstWord + PAGE_WORDS);
  return (
    <>
      <span className="muted">
        words {firstWord.toLocaleString('en')}–{(last - 1).toLocaleString('en')} of {words.toLocaleString('en')}
      </span>
      <Button
        label="Earlier words"
        icon="previous"
        iconOnly
        disabledReason={firstWord === 0 ? 'these are the first words' : undefined}
        onPress={() => setFirstWord(Math.max(0, firstWord - PAGE_WORDS))}
      />
      <Button
        label="Later words"
        icon="next"
        iconOnly
        disabledReason={last >= words ? 'these are the last words' : undefined}
        onPress={() => setFirstWord(firstWord + PAGE_WORDS)}
      />
    </>
  );
}

function Differences({ page, compare }: { readonly page: OutputPage; readonly compare: CompareWith }) {
  const { compared, differing } = useMemo(() => countDifferences(page, compare), [page, compare]);
  if (compared === 0) return null;
  if (compare.kind === 'before') {
    return <span className="tag">{differing.toLocaleString('en')} words changed</span>;
  }
  return differing === 0 ? (
    <span className="tag tag--ok">{compared.toLocaleString('en')} words equal</span>
  ) : (
    <span className="tag tag--error">
      {differing.toLocaleString('en')} of {compared.toLocaleString('en')} words differ
    </span>
  );
}

interface GridProps {
  readonly page: OutputPage;
  readonly compare: CompareWith;
  readonly waveSize: number;
}

function Grid({ page, compare, waveSize }: GridProps) {
  const format = useLanes((state) => state.format);
  const { element, width } = useWidth();
  useKeptScroll(element);
  const longest = useMemo(() => {
    if (format === 'hex') return FORMAT_WIDTH.hex;
    let most = 3;
    for (let i = 0; i < page.after.length; i++) {
      most = Math.max(most, outputCell(page, i, format, { kind: 'none' }).text.length);
    }
    return most;
  }, [page, format]);
  const cellWidth = Math.ceil(longest * CHARACTER) + 16;
  const lastHead = rowHead(page, page.after.length - 1, 1, waveSize).length;
  const headWidth = Math.ceil((Math.max(lastHead, 8) + 3) * HEAD_CHARACTER) + 20;
  const fitting = Math.max(1, Math.floor((width - headWidth - 12) / cellWidth));
  const columns = Math.min(64, 2 ** Math.floor(Math.log2(fitting)), Math.max(1, page.after.length));
  const rows = Math.ceil(page.after.length / columns);
  const hasLanes = firstThreadOf(page) !== undefined;

  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => element.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const { cursor, move, onKeyDown, onContextMenu } = useGridKeys({
    rows,
    columns,
    onMove: ({ row }) => virtual.scrollToIndex(row, { align: 'auto' }),
    table: () => outputTsv(page, format),
    cell: ({ row, column }) => {
      const word = page.after[row * columns + column];
      return word === undefined ? undefined : formatWord(word, format);
    },
  });
  const active = cursor.row * columns + cursor.column;
  const shown = active < page.after.length ? outputCell(page, active, format, compare) : undefined;

  return (
    <>
      <div
        ref={element}
        className="grid"
        role="grid"
        aria-label={hasLanes ? 'Output by lane' : 'Output by word'}
        aria-rowcount={rows}
        aria-colcount={columns + 1}
        aria-activedescendant={`output-${active}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const first = item.index * columns;
            const count = Math.min(columns, page.after.length - first);
            return (
              <div
                key={item.index}
                className="grid__row"
                role="row"
                aria-rowindex={item.index + 1}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <span
                  className="grid__head mono"
                  role="rowheader"
                  title={formatAddress(page.address + 4 * first)}
                  style={{ width: headWidth }}
                >
                  {rowHead(page, first, columns, waveSize)}
                </span>
                {Array.from({ length: count }, (_, column) => {
                  const index = first + column;
                  const cell = outputCell(page, index, format, compare);
                  return (
                    <span
                      key={index}
                      id={`output-${index}`}
                      data-cell={`${item.index} ${column}`}
                      className={`grid__cell mono grid__cell--${cell.mark} ${index === active ? 'grid__cell--active' : ''}`}
                      role="gridcell"
                      aria-colindex={column + 2}
                      aria-label={cell.mark === 'differs' ? `${cell.text}, other ${cell.other}` : undefined}
                      style={{ width: cellWidth }}
                      onClick={() => move(item.index, column)}
                    >
                      {cell.text}
                    </span>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
      <div className="lanes__foot mono" role="status">
        {formatAddress(page.address + 4 * active)}
        {shown && shown.thread >= 0 && waveSize > 0
          ? ` · thread ${shown.thread}, lane ${shown.thread % waveSize} of wave ${Math.floor(shown.thread / waveSize)}`
          : ''}
        {shown ? ` · ${shown.text}` : ''}
        {shown?.other === undefined ? '' : ` · ${compare.kind === 'expected' ? 'expected' : 'other'} ${shown.other}`}
      </div>
    </>
  );
}
