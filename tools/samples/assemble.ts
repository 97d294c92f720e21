/** AMD assembly → dwords, by llvm-mc: the samples' machine code does not come from this project's own assembler. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function assembleWithLlvm(file: string, mcpu: string, waveSize: 32 | 64): Uint32Array {
  const folder = mkdtempSync(join(tmpdir(), 'lanescope-asm-'));
  const object = join(folder, 'code.o');
  const binary = join(folder, 'code.bin');
  const features = waveSize === 64 ? ['--mattr=-wavefrontsize32,+wavefrontsize64'] : [];
  execFileSync('llvm-mc-19', ['--arch=amdgcn', `--mcpu=${mcpu}`, ...features, '--filetype=obj', file, '-o', object], {
    stdio: 'pipe',
  });
  execFileSync('llvm-objcopy-19', ['-O', 'binary', '--only-section=.text', object, binary]);
  const bytes = readFileSync(binary);
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
