/**
 * `dim:` of image instructions on gfx10: `SQ_RSRC_IMG_2D_ARRAY` or short `2D_ARRAY`.
 */
import { DIMS } from '../../names/image-dimensions.ts';
import { type Cursor, isWordPart } from '../cursor.ts';
import { ASM, type Reporter } from '../reporter.ts';

/** After `dim:`; the field, or −1 after a reported error. */
export function parseDim(cursor: Cursor, reporter: Reporter): number {
  cursor.skipBlanks();
  const start = cursor.position;
  let end = start;
  while (isWordPart(cursor.text.charCodeAt(end))) end++;
  cursor.position = end;
  const word = cursor.text.slice(start, end);
  const name = word.startsWith('SQ_RSRC_IMG_') ? word.slice(12) : word;
  const dim = (DIMS as readonly string[]).indexOf(name);
  if (dim < 0) reporter.error(ASM.MODIFIER, `dim takes ${DIMS.join(', ')}`, start, Math.max(end, start + 1));
  return dim;
}
