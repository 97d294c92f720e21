/** `lanescope info FILE`: what it is, its target, submits, events, shaders, damage. */
import type { Command } from 'commander';
import { formatAddress } from '../base/guest-address.ts';
import type { OpenCapture } from '../capture/store/open-capture.ts';
import { describeCodeObject } from '../session/describe-code-object.ts';
import { replay } from '../session/replay.ts';
import { openCaptureOrFail, readFileOrFail } from './open.ts';
import { diagnosticShape, failWith, printJson, printLines } from './output.ts';

export function registerInfo(program: Command): void {
  program
    .command('info')
    .description('what a file is: target, submits, events, shaders, damage')
    .argument('<file>', 'a capture, a code object or raw code')
    .action(async (file: string, options: { json?: boolean }) => {
      const { kind, bytes } = readFileOrFail(file);
      if (kind === 'capture') return showCapture(openCaptureOrFail(file), options.json);
      if (kind === 'raw') {
        const shape = { kind, bytes: bytes.length, dwords: bytes.length >> 2 };
        if (options.json) return printJson(shape);
        return printLines([`raw code: ${shape.dwords} dwords`]);
      }
      const described = describeCodeObject(bytes, file);
      if (!described.ok) failWith(described.error);
      if (options.json) return printJson({ kind, ...described.value });
      const { target, processor, version, kernels } = described.value;
      return printLines([
        `AMD code object version ${version} for ${processor} (decoded as ${target})`,
        ...kernels.map(
          (k) =>
            `  kernel ${k.name}: wave${k.waveSize}, LDS ${k.ldsBytes} bytes, private ${k.privateBytes} bytes, arguments ${k.kernargBytes} bytes`,
        ),
      ]);
    });
}

async function showCapture(open: OpenCapture, json: boolean | undefined): Promise<void> {
  const { capture } = open;
  const kinds = new Map<string, number>();
  const shaders = new Map<number, number>();
  for await (const step of replay(open)) {
    kinds.set(step.event.effect.kind, (kinds.get(step.event.effect.kind) ?? 0) + 1);
    const address = step.dispatch?.dispatch?.programAddress;
    if (address !== undefined) shaders.set(address, (shaders.get(address) ?? 0) + 1);
  }
  const mapped = capture.segments.reduce((sum, s) => sum + s.memSize, 0);
  if (json) {
    return printJson({
      kind: 'capture',
      version: capture.version,
      target: capture.target,
      title: capture.title,
      producer: capture.producer,
      segments: capture.segments.map((s) => ({
        address: formatAddress(s.address),
        memSize: s.memSize,
        fileSize: s.fileSize,
        permissions: s.permissions,
      })),
      submits: capture.submits.map((s) => ({ ...s, address: formatAddress(s.address) })),
      memoryUpdates: capture.updates.length,
      events: Object.fromEntries(kinds),
      shaders: [...shaders].map(([address, dispatches]) => ({ address: `0x${address.toString(16)}`, dispatches })),
      registered: capture.shaders.map((s) => ({ ...s, codeAddress: formatAddress(s.codeAddress) })),
      expectations: capture.expected.length,
      labels: capture.labels.length,
      unknownNotes: capture.unknownNotes.length,
      damage: capture.damage.map(diagnosticShape),
    });
  }
  printLines([
    `capture version ${capture.version} for ${capture.target}: ${capture.title}`,
    `  made by       ${capture.producer}`,
    `  memory        ${capture.segments.length} segments, ${mapped} bytes`,
    `  submits       ${capture.submits.length}, memory updates ${capture.updates.length}`,
    `  events        ${[...kinds].map(([kind, n]) => `${n} ${kind}`).join(', ') || 'none'}`,
    `  shaders       ${[...shaders].map(([address, n]) => `0x${address.toString(16)} (${n} dispatches)`).join(', ') || 'none dispatched'}`,
    `  registered    ${capture.shaders.length}`,
    `  expectations  ${capture.expected.length}`,
    `  damage        ${capture.damage.length === 0 ? 'none' : `${capture.damage.length} problems`}`,
  ]);
}
