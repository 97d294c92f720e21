/**
 * Proves the instruction tables: every row of gfx1013 and gfx1030 decoded by llvm-mc with the same text, the whole opcode
 * space walked for rows that are missing, every row of gfx700 assembled by llvm-mc to the same bytes.
 *
 *   npx tsx tools/isa/check-tables.ts        prints counts and problems; exit status 1 when there are problems
 */
import { TARGETS, type Target } from '../../src/main/base/dispatch.ts';
import { isGfx7 } from '../../src/main/isa/index.ts';
import { type Difference, judgeSamples, tableConflicts, walkOpcodes } from './judge.ts';
import { llvmMcAvailable } from './llvm-mc.ts';

export interface TableCheck {
  readonly target: Target;
  readonly rows: number;
  readonly exercised: number;
  readonly agreed: number;
  readonly samples: number;
  readonly walked: number;
  readonly problems: readonly Difference[];
}

export function checkTables(target: Target): TableCheck {
  const judged = judgeSamples(target);
  const counts = [...judged.families.values()];
  const sum = (field: 'rows' | 'exercised' | 'agreed' | 'samples') =>
    counts.reduce((total, count) => total + count[field], 0);
  const problems = judged.differences.filter((difference) => !difference.explanation);
  const walk = isGfx7(target) ? { walked: 0, differences: [] } : walkOpcodes(target);
  return {
    target,
    rows: sum('rows'),
    exercised: sum('exercised'),
    agreed: sum('agreed'),
    samples: sum('samples'),
    walked: walk.walked,
    problems: [...problems, ...walk.differences],
  };
}

function main(): number {
  if (!llvmMcAvailable()) {
    console.error('llvm-mc-19 is not installed: nothing can be checked');
    return 1;
  }
  let failures = 0;
  for (const conflict of tableConflicts()) {
    console.error(conflict);
    failures++;
  }
  for (const target of TARGETS) {
    const check = checkTables(target);
    console.log(
      `${target}: ${check.rows} rows, ${check.exercised} exercised, ${check.agreed} agreed (${check.samples} samples, ` +
        `${check.walked} words of the opcode space), ${check.problems.length} problems`,
    );
    for (const problem of check.problems.slice(0, 20)) {
      console.error(`  ${problem.words}\n    llvm ${problem.llvm}\n    ours ${problem.ours}`);
    }
    failures += check.problems.length + (check.rows - check.agreed);
  }
  return failures ? 1 : 0;
}

if (import.meta.url === `file://${process.argv[1]}`) process.exitCode = main();
