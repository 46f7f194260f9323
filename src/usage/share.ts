import type { Click } from '../feature.ts';
import { context, message } from '../slack/blocks.ts';
import { plainMessage } from '../slack/messages.ts';
import { ReplyError } from '../slack/reply.ts';
import { forgetEvent, isFirstTime } from '../slack/seen-events.ts';
import { markup, mention } from '../slack/text.ts';
import type { Database } from '../store/database.ts';
import { answerUsage, type UsageParts } from './answer.ts';
import { requestSchema, type UsageRequest } from './request.ts';

/**
 * Posts an answer to the channel, once however often the button is clicked. The figures are read again, and so is what the
 * clicker may see.
 */
export async function shareUsage(
  parts: UsageParts & { db: Database },
  click: Click,
  withPeople: boolean,
): Promise<void> {
  const request = readRequest(click.value);
  if (!request) return click.reply.add(plainMessage('This button is from an older version. Run /usage again.'));
  const answer = await answerUsage(parts, { request, withPeople, withButtons: false }, click);
  if (answer.kind === 'refusal') return click.reply.add(answer.message);
  const key = `share:${click.channel}:${click.messageTs ?? click.value}:${String(withPeople)}`;
  if (!(await isFirstTime(parts.db, key, parts.clock.now()))) {
    return click.reply.add(plainMessage('You shared this already.'));
  }
  const sharedBy = context(markup`Shared by ${mention(click.person.slackId)}`);
  try {
    await click.reply.share(message(answer.message.text, [...answer.message.blocks, sharedBy]));
  } catch (error) {
    // Only a refusal says for certain that nothing was posted; then a click may try again.
    if (error instanceof ReplyError) await forgetEvent(parts.db, key);
    throw error;
  }
}

function readRequest(value: string): UsageRequest | undefined {
  try {
    const { period, ...rest } = requestSchema.parse(JSON.parse(value));
    const { lastDays, ...days } = period;
    return { ...rest, period: lastDays === undefined ? days : { ...days, lastDays } };
  } catch {
    return undefined;
  }
}
