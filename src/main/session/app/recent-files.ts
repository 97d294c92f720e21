/**
 * The captures that were opened last, in a JSON file of the user's settings. A file that is damaged or cannot be written
 * costs the list, never the opening of a capture.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { RecentFile } from '../../../preload/contract/index.ts';

const MAX_FILES = 12;

export class RecentFileList {
  private readonly file: string;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.file = file;
  }

  async list(): Promise<readonly RecentFile[]> {
    await this.turn;
    return this.read();
  }

  add(path: string): Promise<void> {
    const entry = { path, name: basename(path), folder: dirname(path), openedAt: Date.now() };
    return this.change((files) => [entry, ...files.filter((f) => f.path !== path)].slice(0, MAX_FILES));
  }

  forget(path: string): Promise<void> {
    return this.change((files) => files.filter((f) => f.path !== path));
  }

  private change(edit: (files: readonly RecentFile[]) => readonly RecentFile[]): Promise<void> {
    const done = this.turn.then(async () => {
      try {
        const text = JSON.stringify(edit(await this.read()));
        await mkdir(dirname(this.file), { recursive: true });
        await writeFile(`${this.file}.new`, text);
        await rename(`${this.file}.new`, this.file);
      } catch {
        // A list that cannot be kept is a list less.
      }
    });
    this.turn = done;
    return done;
  }

  private async read(): Promise<readonly RecentFile[]> {
    try {
      const list: unknown = JSON.parse(await readFile(this.file, 'utf8'));
      return Array.isArray(list) ? list.filter(isRecentFile) : [];
    } catch {
      return [];
    }
  }
}

function isRecentFile(value: unknown): value is RecentFile {
  const v = value as Partial<Record<keyof RecentFile, unknown>> | null;
  return (
    typeof v?.path === 'string' &&
    typeof v.name === 'string' &&
    typeof v.folder === 'string' &&
    typeof v.openedAt === 'number'
  );
}
