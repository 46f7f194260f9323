import type { ComputerDeps } from '../core/deps.ts';

/**
 * Where the card stands: with the person who asked, by direct message, unless they want it in the channel where they asked. A command
 * is seen by the person alone, so its card should not surprise the others.
 */
export async function placeOfNewCard(
  { channels }: Pick<ComputerDeps, 'channels'>,
  person: string,
  wanted: { channel: string; isFollowed: boolean },
): Promise<string> {
  if (!wanted.isFollowed) return person;
  return (await channels.openName(wanted.channel)) === undefined ? person : wanted.channel;
}
