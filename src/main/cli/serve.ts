/** `lanescope serve [CAP] [--port N]`: the window in a browser, on this machine only. Runs until it is interrupted. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { startServer } from '../server.ts';
import { sampleCapture } from '../session/sample-capture.ts';
import { parseNumber } from './arguments.ts';
import { CommandError, EXIT, printJson } from './output.ts';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('the window in a browser: prints an address for this machine, runs until interrupted')
    .argument('[capture]', 'opened when the page is loaded')
    .option('--port <n>', 'default: a free one', '0')
    .action(async (capture: string | undefined, options: { json?: boolean; port: string }) => {
      const port = parseNumber(options.port, '--port');
      if (port > 65535) throw new CommandError(EXIT.usage, `--port: ${port} is no port`);
      if (capture !== undefined && !existsSync(capture))
        throw new CommandError(EXIT.badInput, `cannot read ${capture}: there is no such file`);
      const server = await startServer({
        port,
        settingsFolder: settingsFolder(),
        samplePath: sampleCapture(),
        startPath: capture === undefined ? null : resolve(capture),
      });
      const interrupted = new Promise<void>((done) => {
        process.once('SIGINT', () => done());
        process.once('SIGTERM', () => done());
      });
      process.stderr.write('Open this address in a browser on this machine; Ctrl+C ends the server.\n');
      if (options.json) printJson({ url: server.url });
      else process.stdout.write(`${server.url}\n`);
      await interrupted;
      await server.close();
      process.exit(EXIT.fine);
    });
}

function settingsFolder(): string {
  return join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'lanescope');
}
