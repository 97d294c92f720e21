/**
 * What a handler of the contract is, and what it is given. `Handlers` is derived from the contract: a call without a
 * handler does not compile.
 */
import type {
  CallArgs,
  CallName,
  CallResult,
  LogEntry,
  NoticeName,
  Notices,
  Progress,
  RecentFile,
} from '../../preload/contract/index.ts';
import type { Workspace } from '../session/app/workspace.ts';

/** What the host of the window offers: Electron, or the server for a browser. */
export interface WindowHost {
  readonly kind: 'electron' | 'browser';
  readonly samplePath: string | null;
  readonly startPath: string | null;
  /** Undefined where the window must choose files itself. */
  readonly chooseFile?: () => Promise<string | null>;
}

export interface RecentFiles {
  list(): Promise<readonly RecentFile[]>;
  add(path: string): Promise<void>;
  forget(path: string): Promise<void>;
}

export interface Uploads {
  begin(name: string, sizeBytes: number): Promise<number>;
  write(id: number, bytes: Uint8Array): Promise<number>;
  finish(id: number): Promise<string>;
  /** Whether a path is one of its own: not worth remembering. */
  owns(path: string): boolean;
}

export interface AppLog {
  readonly entries: readonly LogEntry[];
  add(level: LogEntry['level'], source: string, text: string): void;
}

/** Everything that handlers of one window share. */
export interface Services {
  readonly workspace: Workspace;
  readonly host: WindowHost;
  readonly recent: RecentFiles;
  readonly uploads: Uploads;
  readonly log: AppLog;
}

export interface CallContext extends Services {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export type Handler<Name extends CallName> = (
  args: CallArgs<Name>,
  context: CallContext,
) => CallResult<Name> | Promise<CallResult<Name>>;

export type Handlers = { readonly [Name in CallName]: Handler<Name> };

export type Notify = <Name extends NoticeName>(name: Name, notice: Notices[Name]) => void;
