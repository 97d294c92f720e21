/** A code object for `info`: its target and kernels. */
import type { Result } from '../base/result.ts';
import { fail, ok } from '../base/result.ts';
import { findKernel, type Kernel, readCodeObject } from '../capture/importers/code-object.ts';

export interface CodeObjectDescription {
  readonly target: string;
  readonly processor: string;
  readonly version: number;
  readonly functions: readonly string[];
  readonly kernels: readonly {
    readonly name: string;
    readonly waveSize: number;
    readonly ldsBytes: number;
    readonly privateBytes: number;
    readonly kernargBytes: number;
    readonly arguments: Kernel['arguments'];
  }[];
}

export function describeCodeObject(bytes: Uint8Array, file?: string): Result<CodeObjectDescription> {
  const object = readCodeObject(bytes, file);
  if (!object.ok) return object;
  const { target, processor, version, functions, kernelNames } = object.value;
  const kernels: CodeObjectDescription['kernels'][number][] = [];
  for (const name of kernelNames) {
    const kernel = findKernel(object.value, name, file);
    if (!kernel.ok) return fail(kernel.error);
    const k = kernel.value;
    kernels.push({
      name,
      waveSize: k.waveSize,
      ldsBytes: k.descriptor.ldsBytes,
      privateBytes: k.privateBytes,
      kernargBytes: k.kernargBytes,
      arguments: k.arguments,
    });
  }
  return ok({ target, processor, version, functions: [...functions.keys()], kernels });
}
