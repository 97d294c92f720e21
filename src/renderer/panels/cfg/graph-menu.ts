/** What can be done with the place in the graph under the pointer or the selection. */
import type { ProgramView } from '../../../preload/contract/index.ts';
import { blockText } from '../../selectors/cfg-text.ts';
import { formatAddress } from '../../selectors/number-format.ts';
import { copyText } from '../../stores/clipboard.ts';
import { selectAddress } from '../../stores/selection.ts';
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
  const { listing } = program;
  const line = address === undefined ? -1 : listing.address.indexOf(address);
  const entries: MenuEntry[] = [];
  if (address !== undefined && line >= 0) {
    entries.push(
      {
        kind: 'item',
        label: 'Copy the instruction',
        hint: 'Ctrl+C',
        onPress: () => void copyText(`${formatAddress(address)}  ${listing.text[line]}`),
      },
      { kind: 'item', label: 'Select it everywhere', onPress: () => selectAddress(address, 'cfg') },
    );
  }
  if (block !== undefined)
    entries.push({
      kind: 'item',
      label: `Copy block b${block}`,
      onPress: () => void copyText(blockText(program, block)),
    });
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
