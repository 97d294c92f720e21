/** `lanescope memory CAP ADDR LEN`: guest memory, at the start or after an event. */
import { type Command, Option } from 'commander';
import { formatAddress, type GuestAddress } from '../base/guest-address.ts';
import type { GuestMemory } from '../base/guest-memory.ts';
import { createEngine } from '../session/engines.ts';
import { parseAddress, parseNumber } from './arguments.ts';
import { openCaptureOrFail, stepOf } from './open.ts';
import { CommandError, EXIT, printJson, printLines } from './output.ts';

const FORMATS = ['u8', 'u32', 'i32', 'f32', 'u64', 'f64'] as const;
type Format = (typeof FORMATS)[number];
const MAXIMUM_BYTES = 1 << 26;

export function registerMemory(program: Command): void {
  program
    .command('memory')
    .description('guest memory at the start of the capture, or after an event')
    .argument('<capture>')
    .argument('<address>')
    .argument('<length>', 'in bytes')
    .option('--event <n>', 'after this event; dispatches run on the reference')
    .addOption(new Option('--format <format>', 'how values are read').choices(FORMATS).default('u32'))
    .action(
      async (
        file: string,
        addressText: string,
        lengthText: string,
        options: { json?: boolean; event?: string; format: Format },
      ) => {
        const open = openCaptureOrFail(file);
        const address = parseAddress(addressText, 'address');
        const length = parseNumber(lengthText, 'length');
        if (length > MAXIMUM_BYTES) throw new CommandError(EXIT.usage, `length: at most ${MAXIMUM_BYTES} bytes`);
        const size = sizeOf(options.format);
        if (length === 0 || length % size !== 0)
          throw new CommandError(
            EXIT.usage,
            `length: ${length} is no multiple of ${size}, the size of ${options.format}`,
          );
        let memory: GuestMemory = open.initialMemory();
        if (options.event !== undefined) {
          const engine = await createEngine('reference');
          memory = (await stepOf(open, parseNumber(options.event, '--event'), { engine })).memory;
        }
        const bytes = memory.peekBytes(address, length);
        if (!bytes)
          throw new CommandError(EXIT.badInput, `${formatAddress(address)} + ${length} is not mapped throughout`);
        const values = valuesOf(bytes, options.format);
        if (options.json) return printJson({ address: formatAddress(address), format: options.format, values });
        const perLine = Math.max(1, 16 / size);
        const lines: string[] = [];
        for (let i = 0; i < values.length; i += perLine) {
          lines.push(
            `${formatAddress((address + i * size) as GuestAddress)}  ${values.slice(i, i + perLine).join(' ')}`,
          );
        }
        return printLines(lines);
      },
    );
}

function sizeOf(format: Format): number {
  return format === 'u8' ? 1 : format.endsWith('64') ? 8 : 4;
}

function valuesOf(bytes: Uint8Array, format: Format): (number | string)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = sizeOf(format);
  const count = Math.floor(bytes.length / size);
  const read: Record<Format, (at: number) => number | string> = {
    u8: (at) => view.getUint8(at),
    u32: (at) => `0x${view.getUint32(at, true).toString(16).padStart(8, '0')}`,
    i32: (at) => view.getInt32(at, true),
    f32: (at) => String(view.getFloat32(at, true)),
    u64: (at) => `0x${view.getBigUint64(at, true).toString(16).padStart(16, '0')}`,
    f64: (at) => String(view.getFloat64(at, true)),
  };
  return Array.from({ length: count }, (_, i) => read[format](i * size));
}
