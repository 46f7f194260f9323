import type { Delivery } from '../../../slack/people/control-types.ts';
import { RefusedError } from './control.ts';

/** Describes a failure between Slack and the app as Slack's client would, with its code for the developer. */
export function deliveryFailure(what: string, delivery: Delivery): string | null {
  const { error } = delivery;
  if (error === null) return null;
  if (error === 'operation_timeout') return `${what} failed because the app did not respond in 3 seconds (${error})`;
  if (error === 'dispatch_failed') return `${what} failed because the app is not connected (${error})`;
  if (error === 'http_error') return `${what} failed because the app answered with an error (${error})`;
  return `${what} failed (${error})`;
}

/** Describes a request that the sandbox refused or never received. */
export function errorWords(what: string, error: unknown): string {
  if (error instanceof RefusedError) return `${what} failed: ${error.message} (${error.code})`;
  return `${what} failed: the sandbox did not answer (${error instanceof Error ? error.message : String(error)})`;
}
