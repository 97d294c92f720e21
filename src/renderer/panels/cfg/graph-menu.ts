/** What can be done with the place in the graph under the pointer or the selection. */
import type { ProgramView } from '../../../preload/contract/index.ts';
import { blockText, instructionText } from '../../selectors/cfg-text.ts';
import { selectAddress } from '../../stores/selection.ts';
import { copyEntry } from '../../widgets/copy-entry.ts';
import type { MenuEntry } from '../../widgets/menu-list.tsx';

export interface GraphMenuOptions {
  readonly program: ProgramView;
  /** An instruction; undefined beside the cards. */
  readonly address: number | undefined;
  readonly block: number | undefined;
  readonly folded: ReadonlySet<number>;
  readonly onFold: (contexts: readonly number[]) => void;
  readonly onShowAll: () => void;
}

export function graphMenu({ program, address, block, folded, onFold, onShowAll }: GraphMenuOptions): MenuEntry[] {
  const text = address === undefined ? undefined : instructionText(program, address);
  const entries: MenuEntry[] = [];
  if (address !== undefined && text !== undefined) {
    entries.push(
      copyEntry('Copy the instruction', () => text, 'Ctrl+C'),
      { kind: 'item', label: 'Select it everywhere', onPress: () => selectAddress(address, 'cfg') },
    );
  }
  if (block !== undefined) entries.push(copyEntry(`Copy block b${block}`, () => blockText(program, block)));
  if (entries.length > 0) entries.push({ kind: 'line', id: 'view' });
  const regions = program.contexts.flatMap((context, index) => (context.region ? [index] : []));
  entries.push(
    {
      kind: 'item',
      label: 'Fold all call regions',
      disabledReason: regions.length === 0 ? 'there are no call regions' : undefined,
      onPress: () => onFold(regions),
    },
    {
      kind: 'item',
      label: 'Open all call regions',
      disabledReason: folded.size === 0 ? 'none is folded' : undefined,
      onPress: () => onFold([]),
    },
    { kind: 'item', label: 'Show all of the graph', hint: '0', onPress: onShowAll },
  );
  return entries;
}
