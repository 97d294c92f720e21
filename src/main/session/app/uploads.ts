/**
 * Captures that a browser sends because only it can read them: written into a temporary folder of their own, which goes
 * with the window. Chunks come in order; sizes are checked against what was announced.
 */
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';

const MAX_OPEN = 4;

interface Upload {
  readonly path: string;
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  received: number;
}

export class UploadFolder {
  private folder: string | undefined;
  private readonly uploads = new Map<number, Upload>();
  private nextId = 1;

  async begin(name: string, sizeBytes: number): Promise<number> {
    if (this.uploads.size >= MAX_OPEN) throw new Error('too many uploads at once');
    this.folder ??= await mkdtemp(join(tmpdir(), 'lanescope-'));
    const id = this.nextId++;
    // Only the last part of the name, and without what a file system may take for more than a name.
    const plain = basename(name).replace(/[^\w.() -]/g, '_') || 'capture';
    const path = join(this.folder, String(id), plain);
    await mkdir(join(this.folder, String(id)));
    this.uploads.set(id, { path, handle: await open(path, 'wx'), sizeBytes, received: 0 });
    return id;
  }

  async write(id: number, bytes: Uint8Array): Promise<number> {
    const upload = this.find(id);
    if (upload.received + bytes.byteLength > upload.sizeBytes) throw new Error('the upload is larger than announced');
    const at = upload.received;
    upload.received += bytes.byteLength;
    await upload.handle.write(bytes, 0, bytes.byteLength, at);
    return upload.received;
  }

  async finish(id: number): Promise<string> {
    const upload = this.find(id);
    this.uploads.delete(id);
    await upload.handle.close();
    if (upload.received !== upload.sizeBytes) throw new Error('the upload is shorter than announced');
    return upload.path;
  }

  owns(path: string): boolean {
    return this.folder !== undefined && path.startsWith(this.folder + sep);
  }

  private find(id: number): Upload {
    const upload = this.uploads.get(id);
    if (!upload) throw new Error(`there is no upload ${id}`);
    return upload;
  }

  async close(): Promise<void> {
    for (const { handle } of this.uploads.values()) await handle.close();
    this.uploads.clear();
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }
}
