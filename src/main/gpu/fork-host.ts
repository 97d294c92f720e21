/**
 * Starts the GPU host as a child process of Node, with all drivers of this machine or with some.
 */
import { fork } from 'node:child_process';
import { disabledDrivers, driverManifests, withDrivers } from './driver-manifests.ts';
import type { FailedDriver } from './gpu-backend.ts';
import type { HostReply, HostRequest } from './host-protocol.ts';

/** A running host process, however it was started. */
export interface HostConnection {
  send(request: HostRequest): void;
  onReply(listener: (reply: HostReply) => void): void;
  /** Called once when the process ends, with a description. */
  onExit(listener: (how: string) => void): void;
  kill(): void;
  readonly pid: number | undefined;
}

export interface HostLauncher {
  /** Manifests of the drivers that are loaded when `launch` is given none; undefined: not known. */
  readonly manifests: readonly string[] | undefined;
  /** Drivers that the user switched off. */
  readonly disabled: readonly FailedDriver[];
  /** `drivers`: manifests of those to load and no others. */
  launch(drivers?: readonly string[]): HostConnection;
}

/** `script` is the built host entry. */
export function forkHost(script: string, environment: NodeJS.ProcessEnv = process.env): HostLauncher {
  const found = driverManifests(environment);
  const disabled = disabledDrivers(found ?? [], environment);
  const manifests = found?.filter((manifest) => disabled.every((d) => d.manifest !== manifest));
  // The loader's own choice, unless something was switched off.
  const usual = disabled.length > 0 ? manifests : undefined;
  return {
    manifests,
    disabled,
    launch: (drivers = usual) => start(script, drivers ? withDrivers(environment, drivers) : environment),
  };
}

function start(script: string, env: NodeJS.ProcessEnv): HostConnection {
  const child = fork(script, [], {
    serialization: 'advanced',
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000);
  });
  return {
    pid: child.pid,
    send: (request) => {
      // A dead channel is reported by the exit listener.
      if (child.connected) child.send(request, () => {});
    },
    onReply: (listener) => {
      child.on('message', (message) => listener(message as HostReply));
    },
    onExit: (listener) => {
      child.once('exit', (code, signal) => {
        const how = signal ? `signal ${signal}` : `exit code ${code}`;
        listener(complaint.trim() ? `${how}: ${complaint.trim().split('\n').at(-1)}` : how);
      });
    },
    kill: () => child.kill('SIGKILL'),
  };
}
