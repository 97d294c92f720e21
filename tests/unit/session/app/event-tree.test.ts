/** The event tree: nesting of markers and buffers in any order, as columns in pre-order. */
import { describe, expect, it } from 'vitest';
import type { GpuEvent } from '../../../../src/main/pm4/events.ts';
import { EventTreeBuilder } from '../../../../src/main/session/app/event-tree.ts';
import { EVENT_ROW_KINDS } from '../../../../src/preload/contract/capture.ts';
import { EVENT_KIND } from '../../../../src/renderer/selectors/event-rows.ts';

interface Step {
  readonly kind?: 'dispatch' | 'push' | 'pop' | 'set';
  readonly label?: string;
  readonly markers?: readonly string[];
  /** Addresses of buffers below the submit's, outermost first. */
  readonly buffers?: readonly number[];
  readonly submit?: number;
}

function build(steps: readonly Step[]) {
  const tree = new EventTreeBuilder();
  steps.forEach(({ kind = 'dispatch', label = '', markers = [], buffers = [], submit = 0 }, index) => {
    const effect = kind === 'dispatch' ? { kind } : { kind: 'marker', action: kind, label };
    const path = [1, ...buffers].map((address) => ({ address, dwordCount: 1, dwordOffset: 0 }));
    tree.add({ index, effect, path, markers, submit, diagnostics: [] } as unknown as GpuEvent);
  });
  return tree.finish();
}

/** `kind event` per row, indented by depth. */
function text(tree: ReturnType<typeof build>): string[] {
  return Array.from(
    tree.kind,
    (kind, row) => `${'  '.repeat(tree.depth[row]!)}${EVENT_ROW_KINDS[kind]} ${tree.event[row]}`,
  );
}

describe('the event tree', () => {
  it('puts what is between push and pop below the push', () => {
    const tree = build([{}, { kind: 'push', label: 'a' }, { markers: ['a'] }, { kind: 'pop', markers: ['a'] }, {}]);
    expect(text(tree)).toEqual(['submit -1', '  dispatch 0', '  group 1', '    dispatch 2', '  dispatch 4']);
    expect([...tree.end]).toEqual([5, 2, 4, 4, 5]);
    // The pop has no row; it is where its group is.
    expect([...tree.rowOfEvent]).toEqual([1, 2, 3, 2, 4]);
  });

  it('keeps groups apart that have the same name', () => {
    const pass = [{ kind: 'push', label: 'a' }, { markers: ['a'] }, { kind: 'pop', markers: ['a'] }] as const;
    expect(text(build([...pass, ...pass]))).toEqual([
      'submit -1',
      '  group 0',
      '    dispatch 1',
      '  group 3',
      '    dispatch 4',
    ]);
  });

  it('nests buffers and markers in the order in which they were entered', () => {
    const tree = build([
      { kind: 'push', label: 'outer' },
      { markers: ['outer'], buffers: [7] },
      { kind: 'push', label: 'inner', markers: ['outer'], buffers: [7] },
      { markers: ['outer', 'inner'], buffers: [7] },
      { markers: ['outer', 'inner'], buffers: [7, 8] },
      { kind: 'pop', markers: ['outer', 'inner'], buffers: [7] },
      { markers: ['outer'] },
    ]);
    expect(text(tree)).toEqual([
      'submit -1',
      '  group 0',
      '    buffer -1',
      '      dispatch 1',
      '      group 2',
      '        dispatch 3',
      '        buffer -1',
      '          dispatch 4',
      '    dispatch 6',
    ]);
  });

  it('goes on with a marker that outlives its buffer', () => {
    const tree = build([
      { kind: 'push', label: 'a', buffers: [7] },
      { markers: ['a'], buffers: [7] },
      { markers: ['a'] },
    ]);
    expect(text(tree)).toEqual([
      'submit -1',
      '  buffer -1',
      '    group 0',
      '      dispatch 1',
      '  group -1',
      '    dispatch 2',
    ]);
  });

  it('takes a pop without a push', () => {
    expect(text(build([{ kind: 'pop' }, {}]))).toEqual(['submit -1', '  dispatch 1']);
  });

  it('starts anew with every submit', () => {
    const tree = build([{ kind: 'push', label: 'a' }, { markers: ['a'] }, { submit: 1 }]);
    expect(text(tree)).toEqual(['submit -1', '  group 0', '    dispatch 1', 'submit -1', '  dispatch 2']);
    expect([...tree.end]).toEqual([3, 3, 3, 5, 5]);
  });
});

it('kinds have the same numbers in the engine and in the window', () => {
  expect(EVENT_ROW_KINDS.map((kind) => EVENT_KIND[kind])).toEqual(EVENT_ROW_KINDS.map((_, i) => i));
});
