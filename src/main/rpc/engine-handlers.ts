/** Handlers of the calls that the session worker answers: handed on with their progress and cancellation. */
import type { CallArgs, CallResult } from '../../preload/contract/index.ts';
import { ENGINE_CALLS, type EngineCall } from '../session/app/engine-protocol.ts';
import type { Handler, Handlers } from './handlers.ts';

function forward<Name extends EngineCall>(name: Name): Handler<Name> {
  return (args: CallArgs<Name>, { workspace, signal, onProgress }): Promise<CallResult<Name>> =>
    workspace.call(name, args as never, { signal, onProgress }) as Promise<CallResult<Name>>;
}

export const ENGINE_HANDLERS = Object.fromEntries(ENGINE_CALLS.map((name) => [name, forward(name)])) as unknown as Pick<
  Handlers,
  EngineCall
>;
