/**
 * The command line: `lanescope VERB …`. One file per verb; this one wires them and turns errors into exit codes.
 */
import { Command, CommanderError, Option } from 'commander';
import { diagnostic } from '../base/diagnostics.ts';
import { withOpenVerb } from './open-window.ts';
import { CommandError, diagnosticShape, EXIT, printJson } from './output.ts';

const program = new Command('lanescope')
  .description('Graphics debugger for AMD GCN and RDNA command streams')
  .version('0.1.0')
  .showHelpAfterError('(lanescope help VERB tells more)')
  .exitOverride();

/** Loaded when asked for: engines, importers and the like take longer to load than most verbs to run. */
const verbs: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  info: async () => (await import('./info.ts')).registerInfo,
  events: async () => (await import('./events.ts')).registerEvents,
  pm4: async () => (await import('./pm4.ts')).registerPm4,
  state: async () => (await import('./state.ts')).registerState,
  memory: async () => (await import('./memory.ts')).registerMemory,
  disasm: async () => (await import('./disasm.ts')).registerDisasm,
  asm: async () => (await import('./asm.ts')).registerAsm,
  cfg: async () => (await import('./cfg.ts')).registerCfg,
  exec: async () => (await import('./exec.ts')).registerExec,
  recompile: async () => (await import('./recompile.ts')).registerRecompile,
  run: async () => (await import('./run.ts')).registerRun,
  verify: async () => (await import('./verify.ts')).registerVerify,
  import: async () => (await import('./import.ts')).registerImport,
  devices: async () => (await import('./devices.ts')).registerDevices,
  serve: async () => (await import('./serve.ts')).registerServe,
  open: async () => (await import('./open-window.ts')).registerOpen,
};
const names = Object.keys(verbs);
const argv = withOpenVerb(process.argv, names);
/** The verb alone when one is named, all for help and for what is no verb. */
const wanted = argv[2] !== undefined && names.includes(argv[2]) ? [argv[2]] : names;
for (const name of wanted) (await verbs[name]!())(program);
for (const command of program.commands) command.addOption(new Option('--json', 'one JSON value on stdout'));

// A closed pipe (`| head`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.fine);
  throw error;
});

try {
  await program.parseAsync(argv);
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.fine;
    // Commander has told it on stderr, after 'error: '.
    if (process.argv.includes('--json'))
      printJson({ error: { message: error.message.replace(/^error: /, ''), diagnostics: [] } });
    return EXIT.usage;
  }
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
