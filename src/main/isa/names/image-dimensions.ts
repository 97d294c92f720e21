/** Dimensions of images on gfx10 by number. Source: RDNA 1 ISA manual, MIMG field DIM; names as in LLVM. */
export const DIMS = ['1D', '2D', '3D', 'CUBE', '1D_ARRAY', '2D_ARRAY', '2D_MSAA', '2D_MSAA_ARRAY'] as const;

export function isMsaaDim(dim: number): boolean {
  return dim >= 6;
}
