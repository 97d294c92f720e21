/**
 * The command line: `lanescope VERB …`. One file per verb; this one wires them and turns errors into exit codes.
 */
import { Command, CommanderError, Option } from 'commander';
import { diagnostic } from '../base/diagnostics.ts';
import { registerAsm } from './asm.ts';
import { registerCfg } from './cfg.ts';
import { registerDevices } from './devices.ts';
import { registerDisasm } from './disasm.ts';
import { registerEvents } from './events.ts';
import { registerExec } from './exec.ts';
import { registerImport } from './import.ts';
import { registerInfo } from './info.ts';
import { registerMemory } from './memory.ts';
import { registerOpen, withOpenVerb } from './open-window.ts';
import { CommandError, diagnosticShape, EXIT, printJson } from './output.ts';
import { registerPm4 } from './pm4.ts';
import { registerRecompile } from './recompile.ts';
import { registerRun } from './run.ts';
import { registerServe } from './serve.ts';
import { registerState } from './state.ts';
import { registerVerify } from './verify.ts';

const program = new Command('lanescope')
  .description('Graphics debugger for AMD GCN and RDNA command streams')
  .version('0.1.0')
  .showHelpAfterError('(lanescope help VERB tells more)')
  .exitOverride();

const verbs = [
  registerInfo,
  registerEvents,
  registerPm4,
  registerState,
  registerMemory,
  registerDisasm,
  registerAsm,
  registerCfg,
  registerExec,
  registerRecompile,
  registerRun,
  registerVerify,
  registerImport,
  registerDevices,
  registerServe,
  registerOpen,
];
for (const register of verbs) register(program);
for (const command of program.commands) command.addOption(new Option('--json', 'one JSON value on stdout'));

// A closed pipe (`| head`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.fine);
  throw error;
});

try {
  await program.parseAsync(
    withOpenVerb(
      process.argv,
      program.commands.map((command) => command.name()),
    ),
  );
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  if (error instanceof CommandError) {
    if (process.argv.includes('--json'))
      printJson({ error: { message: error.message, diagnostics: error.diagnostics.map(diagnosticShape) } });
    process.stderr.write(`lanescope: ${error.message}\n`);
    return error.code;
  }
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && /^GPU\d+$/.test(code)) {
    const { message } = error as Error;
    if (process.argv.includes('--json')) {
      const diagnostics = [diagnosticShape(diagnostic(code, 'device', message))];
      printJson({ error: { message, diagnostics } });
    }
    process.stderr.write(`lanescope: ${code}: ${message}\n`);
    return EXIT.device;
  }
  process.stderr.write(
    `lanescope: internal error, please report it:\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return 70;
}
