/** The executable sections of an ELF: a linked code object, or a relocatable object of Mesa's LLVM back end. */
import { diagnostic } from '../base/diagnostics.ts';
import type { Target } from '../base/dispatch.ts';
import type { GuestAddress } from '../base/guest-address.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { readCodeObject } from '../capture/importers/code-object.ts';
import { readElfObject } from '../capture/importers/elf-object.ts';

export interface ObjectCode {
  /** Undefined where the object does not say it in a way that is known here. */
  readonly target: Target | undefined;
  readonly sections: readonly { readonly name: string; readonly address: GuestAddress; readonly words: Uint32Array }[];
}

const SHF_EXECINSTR = 4;

export function codeOfObject(bytes: Uint8Array, file?: string): Result<ObjectCode> {
  const elf = readElfObject(bytes, file);
  if (!elf.ok) return elf;
  const object = readCodeObject(bytes, file);
  const sections = elf.value.sections
    .filter((s) => s.flags & SHF_EXECINSTR && s.bytes.length >= 4)
    .map((s) => ({
      name: s.name,
      address: s.address as GuestAddress,
      words: new Uint32Array(s.bytes.slice(0, s.bytes.length & ~3).buffer),
    }));
  if (sections.length === 0)
    return fail([diagnostic('CAP106', 'badInput', `${file ?? 'the object'} has no executable section`)]);
  return ok({ target: object.ok ? object.value.target : undefined, sections });
}
