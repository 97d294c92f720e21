/** `lanescope import FILE -o CAP`: code objects, RADV shaders and raw dwords become captures. */
import type { Command } from 'commander';
import { importFile } from '../session/import-file.ts';
import { diagnosticShape, failWith, printJson, warn, writeFileOrFail } from './output.ts';

interface ImportOptions {
  json?: boolean;
  output: string;
  spec?: string;
}

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('make a capture of a code object, a RADV shader or raw dwords')
    .argument('<file>', 'code object (.co), RADV binary with its .meta.json beside it, or raw dwords')
    .requiredOption('-o, --output <capture>', 'the capture to write')
    .option('--spec <json>', 'arguments, buffers, grid, expectations; see docs/importing.md')
    .action((file: string, options: ImportOptions) => {
      const imported = importFile({ file, ...(options.spec === undefined ? {} : { spec: options.spec }) });
      if (!imported.ok) failWith(imported.error);
      const bytes = imported.value.builder.build();
      writeFileOrFail(options.output, bytes);
      if (options.json)
        printJson({
          output: options.output,
          bytes: bytes.length,
          diagnostics: imported.value.diagnostics.map(diagnosticShape),
        });
      else {
        warn(imported.value.diagnostics);
        process.stderr.write(`${options.output}: ${bytes.length} bytes\n`);
      }
    });
}
