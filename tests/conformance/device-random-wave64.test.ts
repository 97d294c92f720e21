/**
 * 150 seeded random programs of wave64 on the reference and on lavapipe: every register of every lane and all memory, bit
 * for bit, in deterministic mode. Straight, divergent, loops, and graphs that jump anywhere.
 */
import { differentialTests } from '../support/random-differential.ts';

differentialTests(64, 15);
