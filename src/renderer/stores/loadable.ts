/**
 * A value that comes from the engine: what is known, whether newer is on its way, and what went wrong. While it loads,
 * the value that was there before stays, and says for which event it is.
 */
export interface Loadable<T> {
  readonly value: T | undefined;
  readonly isLoading: boolean;
  readonly error: string | undefined;
}

export const NOTHING: Loadable<never> = { value: undefined, isLoading: false, error: undefined };

export function loading<T>(before: Loadable<T>): Loadable<T> {
  return { value: before.value, isLoading: true, error: undefined };
}

export function loaded<T>(value: T): Loadable<T> {
  return { value, isLoading: false, error: undefined };
}

export function failedTo<T>(error: unknown): Loadable<T> {
  return { value: undefined, isLoading: false, error: error instanceof Error ? error.message : String(error) };
}
