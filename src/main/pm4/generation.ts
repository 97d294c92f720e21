/**
 * Packets differ between two generations; registers differ between the three targets (registers/register-table.ts).
 */
import type { Target } from '../base/dispatch.ts';

export const GENERATIONS = ['gfx7', 'gfx10'] as const;
export type Generation = (typeof GENERATIONS)[number];

export function generationOf(target: Target): Generation {
  return target === 'gfx700' ? 'gfx7' : 'gfx10';
}
