/**
 * Adds the encoding family to the rows of one table file, so that the lines themselves stay short.
 * A row may name another format than its file's (VOP3B rows stand among the VOP3 rows).
 */
import type { Format } from '../instruction.ts';
import type { Row } from '../row.ts';

type FamilyRow = Omit<Row, 'format'> & { readonly format?: Format };

export function family<Name extends string>(
  format: Format,
  rows: Readonly<Record<Name, FamilyRow>>,
): Readonly<Record<Name, Row>> {
  const result = {} as Record<Name, Row>;
  for (const name in rows) result[name] = { format, ...rows[name] };
  return result;
}
