import type { Contestant } from './contestants.ts';

const PEOPLE = ['ada', 'morgan', 'mia', 'max', 'nora'];

/**
 * Types `/usage me` as one of five people, who take turns.
 *
 * @param index counts the commands
 * @returns how long the acknowledgement took, in milliseconds
 * @throws if it was not acknowledged
 */
export async function typeCommand({ slack }: Pick<Contestant, 'slack'>, index: number): Promise<number> {
  const as = PEOPLE[index % PEOPLE.length] ?? 'ada';
  const { ackMs, error } = await slack.control.command({ as, channel: 'general', command: '/usage', text: 'me' });
  if (ackMs === null) throw new Error(`A command was not acknowledged: ${error}`);
  return ackMs;
}
