/**
 * What image instructions do, from the parts of their names: loads and stores, samples and gathers with their suffixes,
 * atomics, rays. Source: ISA manuals of GCN 2 and RDNA 2, "MIMG", in our words.
 */
import { atomicUpdate } from './atomics.ts';

const SINGLE: Readonly<Record<string, string>> = {
  image_get_resinfo: 'D = width, height, depth and number of mip levels of the image, at the given level.',
  image_get_lod: 'D = the level of detail that a sample would use: the clamped one, and the one before clamping.',
  image_msaa_load: 'D = one component of up to four samples of a multisampled image, at integer coordinates.',
  image_gather4h: 'D = the same component of four texels in a row, without filtering.',
  image_bvh_intersect_ray:
    'Tests a ray against a node of a bounding volume hierarchy; D = boxes in order, or the hit of a triangle.',
  image_bvh64_intersect_ray:
    'Tests a ray against a node of a bounding volume hierarchy, named by a 64-bit pointer; D as for 32 bits.',
};

/** Parts of a sample's name, in the order in which they stand. */
const SAMPLE =
  /^image_(?<what>sample|gather4)(?<compare>_c)?(?:_(?<level>cd|d|lz|l|b))?(?<clamp>_cl)?(?<offset>_o)?(?<g16>_g16)?$/;

const LEVELS: Readonly<Record<string, string>> = {
  d: 'with the derivatives of the coordinates given',
  cd: 'with coarse derivatives of the coordinates given',
  l: 'at the given level of detail',
  b: 'with a bias added to the level of detail',
  lz: 'at level of detail 0',
};

function sampleSummary(parts: Readonly<Record<string, string | undefined>>): string {
  const details = [
    ...(parts.compare ? ['compared with a reference depth'] : []),
    ...(parts.level ? [LEVELS[parts.level]! + (parts.g16 ? ' as halves' : '')] : []),
    ...(parts.clamp ? ['the level of detail not below a given one'] : []),
    ...(parts.offset ? ['with an offset in texels'] : []),
  ];
  const start =
    parts.what === 'sample'
      ? 'D = the image filtered at the coordinates'
      : 'D = one component of the four texels that a bilinear filter would use';
  return `${[start, ...details].join(', ')}.`;
}

const ACCESS = /^image_(?<way>load|store)(?<mip>_mip)?(?<packed>_pck)?(?<sign>_sgn)?$/;
const ATOMIC = /^image_atomic_(?<op>[a-z]+)$/;

/** undefined when the mnemonic is no image instruction. */
export function imageSummary(mnemonic: string): string | undefined {
  const single = SINGLE[mnemonic];
  if (single !== undefined) return single;
  const sample = SAMPLE.exec(mnemonic)?.groups;
  if (sample) return sampleSummary(sample);
  const access = ACCESS.exec(mnemonic)?.groups;
  if (access) {
    const at = `at integer coordinates${access.mip ? ' of the given mip level' : ''}`;
    const raw = access.packed ? `, as stored${access.sign ? ', sign-extended' : ''}, without converting` : '';
    return access.way === 'load' ? `D = the texel ${at}${raw}.` : `Stores a texel ${at}${raw}.`;
  }
  const update = atomicUpdate(ATOMIC.exec(mnemonic)?.groups?.op ?? '');
  return update && `On the texel M at integer coordinates, at once: ${update}. With glc, D = its old value.`;
}
