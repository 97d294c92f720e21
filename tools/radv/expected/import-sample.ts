/** A RADV sample with its expectations as a capture: what the driver would have set up, and what has to come out. */
import type { Diagnostic } from '../../../src/main/base/diagnostics.ts';
import { formatDiagnostic } from '../../../src/main/base/diagnostics.ts';
import type { GuestAddress } from '../../../src/main/base/guest-address.ts';
import { importRadv, type RadvBinding } from '../../../src/main/capture/importers/import-radv.ts';
import { readRadvSample } from '../../../src/main/capture/store/radv-files.ts';
import type { ExpectedBuffer, RadvExpectations } from './expected-buffers.ts';
import { loadRadvSample, RADV_FOLDER, type RadvSample, type RadvSampleName } from './sample.ts';

export interface ImportedSample {
  readonly sample: RadvSample;
  readonly expected: readonly (readonly ExpectedBuffer[])[];
  /** Guest address of each buffer by set and binding. */
  readonly addresses: readonly (readonly GuestAddress[])[];
  readonly capture: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

/** Throws when a sample cannot be imported: they all can. */
export function importSample(
  name: RadvSampleName,
  expectations: Pick<RadvExpectations, 'of'>,
  folder = RADV_FOLDER,
): ImportedSample {
  const { variant, kernel } = name;
  const sample = loadRadvSample(name, folder);
  const expected = expectations.of(sample);
  const read = readRadvSample(folder, variant, kernel);
  if (!read.ok) throw new Error(`${variant}/${kernel}: ${read.error.map(formatDiagnostic).join('; ')}`);
  const { run } = read.value;
  const sets = run.sets.map((bindings, set) =>
    bindings.map((binding, index): RadvBinding => {
      if (binding.kind !== 'buffer') return binding;
      const { words, source, exceptions } = expected[set]![index]!;
      return { ...binding, expected: { bytes: bytesOf(words), source, exceptions } };
    }),
  );
  const imported = importRadv({ ...read.value, run: { ...run, sets, title: `${kernel} (${variant})` } });
  if (!imported.ok) throw new Error(`${variant}/${kernel}: ${imported.error.map(formatDiagnostic).join('; ')}`);
  const { builder, diagnostics, buffers } = imported.value;
  return { sample, expected, addresses: buffers as readonly GuestAddress[][], capture: builder.build(), diagnostics };
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
