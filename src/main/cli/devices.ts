/** `lanescope devices`: what could run dispatches here. */
import type { Command } from 'commander';
import { listDevices } from '../session/devices.ts';
import { printJson, printLines, table } from './output.ts';

export function registerDevices(program: Command): void {
  program
    .command('devices')
    .description('the devices that can run dispatches here; the reference is always there')
    .action(async (options: { json?: boolean }) => {
      const { devices, failed, problem } = await listDevices();
      if (options.json) return printJson({ reference: true, vulkan: devices, failed, ...(problem ? { problem } : {}) });
      const rows = devices.map((d) => [
        `vulkan:${d.index}`,
        d.name,
        d.kind,
        d.driver,
        d.apiVersion,
        d.unusable ?? 'usable',
      ]);
      printLines(
        table(
          ['device', 'name', 'kind', 'driver', 'api', 'state'],
          [['reference', 'reference interpreter', 'cpu', 'built in', '', 'usable'], ...rows],
        ),
      );
      for (const { manifest, reason } of failed) process.stderr.write(`driver ${manifest}: ${reason}\n`);
      if (problem) process.stderr.write(`${problem}\n`);
    });
}
