import type { Click } from '../feature.ts';
import { actions, button, context, message } from '../slack/blocks.ts';
import { splitWords } from '../slack/command-words.ts';
import { plainMessage } from '../slack/messages.ts';
import { ReplyError } from '../slack/response-url.ts';
import { forgetEvent, isFirstTime } from '../slack/seen-events.ts';
import { markup, mention } from '../slack/text.ts';
import { answerUsage } from './answer.ts';
import { CSV_ACTION } from './controls-row.ts';
import type { UsageParts } from './parts.ts';
import { decideAccess, parseUsage, wordsOf, type UsageRequest } from './request.ts';
import { viewMessage } from './views/view.ts';

const SHARED_ALREADY = 'You shared this already.';

/**
 * Posts an answer to the channel, once however often the button is clicked. The figures are read again, and so is what the
 * clicker may see.
 */
export async function shareUsage(parts: UsageParts, click: Click, withNames: boolean): Promise<void> {
  const request = readRequest(parts, click.value);
  if (!request) return click.reply.add(plainMessage(OLD_BUTTON));
  const access = decideAccess(click.person, request);
  if (!access.allowed) return click.reply.add(plainMessage(access.sentence));
  const key = `share:${click.channel}:${click.messageTs ?? click.value}:${String(withNames)}`;
  // Before anything is read: a second click costs the platform nothing.
  if (!(await isFirstTime(parts.db, key, parts.clock.now()))) return click.reply.add(plainMessage(SHARED_ALREADY));
  try {
    await postAnswer(parts, click, request, withNames);
  } catch (error) {
    // Of what Slack did not answer it is not known whether it was posted; anything else says that nothing was.
    if (!isUnknownOutcome(error)) await forgetEvent(parts.db, key);
    throw error;
  }
}

async function postAnswer(parts: UsageParts, click: Click, request: UsageRequest, withNames: boolean): Promise<void> {
  const answer = await answerUsage(parts, { request, withNames }, click);
  if (answer.kind === 'refusal') return click.reply.add(answer.message);
  const { view, period } = answer;
  const csv = button({ text: 'CSV', actionId: CSV_ACTION, value: wordsOf(request, period) });
  const { text, blocks } = viewMessage(view, [
    ...(view.hasNames ? [] : [actions(csv)]),
    context(markup`Shared by ${mention(click.person.slackId)}`),
  ]);
  await click.reply.share(message(text, blocks));
}

export const OLD_BUTTON = 'This button is from an older version. Run /usage again.';

/** What a button asks for: the words that would be typed. Anybody can send anything. */
export function readRequest({ clock }: Pick<UsageParts, 'clock'>, words: string): UsageRequest | undefined {
  const parsed = parseUsage(splitWords(words), clock.now());
  return parsed.kind === 'run' ? parsed.request : undefined;
}

/** The fetch of a response address that timed out or broke off; a refusal is a ReplyError. */
function isUnknownOutcome(error: unknown): boolean {
  return !(error instanceof ReplyError) && error instanceof Error && ['TimeoutError', 'TypeError'].includes(error.name);
}
