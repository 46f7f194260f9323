import type { Ending } from './states.ts';

/**
 * The state of one person in a request. `asked`: waits for the decision. `left_out`: the reviewer removed them.
 * `queued`: waits to be sent. `sending`: the PUT may be on its way. `set`: the platform confirmed it. `refused`: the
 * platform listed them among its errors. `failed`: the platform refused the whole PUT. `unknown`: it may or may not
 * have been set. `superseded`: not sent, because a later decision was set first, its time was over, or an admin left
 * the limit unchanged.
 */
export const PERSON_STATES = [
  'asked',
  'left_out',
  'queued',
  'sending',
  'set',
  'refused',
  'failed',
  'unknown',
  'superseded',
] as const;
export type PersonState = (typeof PERSON_STATES)[number];

export function endingOf(states: readonly PersonState[]): Ending {
  const sent = states.filter((state) => state !== 'left_out');
  if (sent.some((state) => state === 'unknown' || state === 'sending' || state === 'queued')) return 'outcome_unknown';
  return sent.every((state) => state === 'set') ? 'applied' : 'partly_applied';
}
