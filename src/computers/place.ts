import { readSlackFault } from '../slack/slack-errors.ts';
import type { ComputerParts } from './parts.ts';

/**
 * Where the card stands: in the channel where it was asked for, if the bot is there already, else it goes to the person. The bot
 * joins no channel for this: a command is seen by the person alone, and its card should not surprise the others.
 */
export async function placeOfNewCard(
  { lookups, log }: Pick<ComputerParts, 'lookups' | 'log'>,
  person: string,
  channel: string,
): Promise<string> {
  if (!/^[CG][A-Z0-9]+$/.test(channel)) return person;
  try {
    const { channel: info } = await lookups.conversations.info({ channel });
    return info?.is_member && !info.is_archived ? channel : person;
  } catch (error) {
    if (readSlackFault(error).kind !== 'refused') log.warn({ err: error, channel }, 'Slack did not tell of a channel');
    return person;
  }
}
