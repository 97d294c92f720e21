/** Calls about the application itself: where it runs, files to open, the log. */
import { z } from 'zod';
import { call } from './call.ts';

export interface AppInfo {
  readonly version: string;
  /** In a window of its own, or in a browser that `lanescope serve` was opened in. */
  readonly host: 'electron' | 'browser';
  readonly platform: string;
  /** Whether the host can show a dialog to choose a file; a browser chooses by itself and uploads. */
  readonly fileDialog: boolean;
  /** Capture that comes with the application, if it was found. */
  readonly samplePath: string | null;
  /** Capture named on the command line, if any. */
  readonly startPath: string | null;
}

export interface RecentFile {
  readonly path: string;
  readonly name: string;
  readonly folder: string;
  readonly openedAt: number;
}

export type LogLevel = 'info' | 'warning' | 'error';

export interface LogEntry {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: LogLevel;
  readonly source: string;
  readonly text: string;
}

const MAX_CHUNK_BYTES = 8 << 20;
const MAX_UPLOAD_BYTES = 2 ** 40;
const nothing = z.object({}).strict();
const path = z.string().min(1).max(4096);

export const APP_CALLS = {
  'app.info': call(nothing)<AppInfo>(),
  'app.chooseFile': call(nothing)<{ readonly path: string | null }>(),
  'app.recentFiles': call(nothing)<readonly RecentFile[]>(),
  'app.forgetRecentFile': call(z.object({ path }).strict())<readonly RecentFile[]>(),
  /** Everything logged so far; later entries come as notices. */
  'app.log': call(nothing)<readonly LogEntry[]>(),
  /** A file that only the browser can read: its bytes are sent, and the result is a path to open. */
  'app.beginUpload': call(
    z.object({ name: z.string().min(1).max(255), sizeBytes: z.number().int().min(0).max(MAX_UPLOAD_BYTES) }).strict(),
  )<{ readonly id: number }>(),
  'app.uploadChunk': call(
    z
      .object({
        id: z.number().int().min(0),
        bytes: z.instanceof(Uint8Array).refine((b) => b.byteLength <= MAX_CHUNK_BYTES, 'chunk is too large'),
      })
      .strict(),
  )<{ readonly received: number }>(),
  'app.finishUpload': call(z.object({ id: z.number().int().min(0) }).strict())<{ readonly path: string }>(),
};
