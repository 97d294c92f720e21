/**
 * Soak test of the float library: a million seeded cases per operation and format against independent oracles, and the
 * error bounds of the approximate instructions measured over as many operands.
 *
 * Oracles: C compiled by clang for this machine (f32 and f64, every round mode), exact rationals of tests/support for f16,
 * minimum and conversions, host double functions for error bounds.
 * Usage: npx tsx tools/soak/float.ts [cases per operation, default 1000000] [seed]
 * One line per check, then "N passed, N failed"; exit code 1 when anything differs. A million cases take some minutes.
 */
import { runApproximations } from './float/approximations.ts';
import { runExactModel } from './float/exact-model.ts';
import { runNative } from './float/native.ts';
import { Report } from './float/report.ts';

const cases = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 1);
const report = new Report();
runNative(report, cases, seed);
runExactModel(report, cases, seed);
runApproximations(report, cases, seed);
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exitCode = report.failed === 0 ? 0 : 1;
