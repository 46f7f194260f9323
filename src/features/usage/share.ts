import type { Names } from '../../core/base/privacy/disclosure.ts';
import type { Click } from '../../core/slack/interactions/interactions.ts';
import { CHANNEL, type ForChannel, type ForNamedChannel, NAMED_CHANNEL } from '../../core/slack/people/audience.ts';
import { type BlockMessage, context } from '../../core/slack/blocks/blocks.ts';
import { buttonRow, type Paragraph } from '../../core/slack/blocks/paragraphs.ts';
import { plainMessage, type RoleDenial } from '../../core/slack/blocks/messages.ts';
import { ReplyError } from '../../core/slack/outbound/response-url.ts';
import { forgetEvent, isFirstTime } from '../../core/slack/inbound/seen-events.ts';
import { markup, mention } from '../../core/base/text/markup.ts';
import { answerUsage, withoutProgress, type AnswerQuery } from './answer.ts';
import { csvButton, moreButton } from './answer-actions.ts';
import { EXPLAIN_ACTION } from '../own/own-limit.ts';
import { explainButton } from '../../core/figures/explanation/explanation-modal.ts';
import type { UsageDeps } from './usage-deps.ts';
import { anonymousRequest, decideAccess, type AccessDecision, wordsOf, type UsageRequest } from './usage-command.ts';
import { type AddressedView, shortMessage } from './views/paragraphs.ts';

const SHARED_ALREADY = 'You shared this already.';
/** Teams may have few members, and an answer shared with names hides none of them. */
const TEAMS_ONLY_ADMINS: RoleDenial = { what: 'Sharing figures by team', role: 'admin' };
const NO_CHANNEL = 'There is no channel here to share this to. Run the command in one.';
const UNSEEN =
  'Nothing was shared: Quartermaster can’t see who reads this channel. Type /invite @Quartermaster, then share again.';
export const NAMES_SOMEBODY =
  'This answer is about single people. Run it again and press “Share”, which asks before it names them.';

/** Posts an answer to the channel as all its members may see it: without names and without the clicker’s own part. */
export async function shareUsage(deps: UsageDeps, request: UsageRequest, click: Click): Promise<void> {
  const anonymous = anonymousRequest(request);
  if (!anonymous) return click.reply.add(plainMessage(NAMES_SOMEBODY));
  await share(deps, click, { request: anonymous, readers: CHANNEL });
}

/** Posts an answer with names, after Slack’s confirmation: a manager’s answer, or the person’s own figures. */
export async function shareWithNames(deps: UsageDeps, request: UsageRequest, click: Click): Promise<void> {
  // Without the people right a person may name only themselves (`decideAccess`); the rest is shared without names.
  if (!click.person.seesPeople && anonymousRequest(request)) return shareUsage(deps, request, click);
  if (!click.person.seesPeople && request.view === 'teams')
    return click.reply.add(await click.refusal(TEAMS_ONLY_ADMINS));
  await share(deps, click, { request, readers: NAMED_CHANNEL });
}

type ChannelAudience = ForChannel | ForNamedChannel;

async function share<Readers extends ChannelAudience>(
  deps: UsageDeps,
  click: Click,
  query: AnswerQuery<Readers>,
): Promise<void> {
  await shareOnce(deps, click, {
    access: decideAccess(click.person, query.request),
    isNamed: query.readers.naming !== undefined,
    read: async () => {
      const answer = await answerUsage(deps, query, withoutProgress(click));
      if (answer.kind === 'refusal') return answer;
      const { view, names, period } = answer;
      return { kind: 'answer', message: sharedView(view, wordsOf(query.request, period), click), names };
    },
  });
}

interface Shareable {
  access: AccessDecision;
  /** Whether the person chose names. */
  isNamed: boolean;
  /** Reads it for the readers of the channel. */
  read: (
    readers: ChannelAudience,
  ) => Promise<{ kind: 'refusal'; message: BlockMessage } | { kind: 'answer'; message: BlockMessage; names: Names }>;
}

/** Shares once, however often the button is clicked. The figures and the clicker’s rights are read again. */
export async function shareOnce(deps: UsageDeps, click: Click, { access, isNamed, read }: Shareable): Promise<void> {
  if (!access.allowed) return click.reply.add(await click.refusal(access.why));
  const key = `share:${click.channel}:${click.messageTs ?? click.value}:${String(isNamed)}`;
  const target = await checkChannel(deps, click.channel);
  if (!target.allowed) return click.reply.add(await click.refusal(target.why));
  // This check comes before any reading, so that a second click causes no request to the platform.
  if (!(await isFirstTime(deps.db, key, deps.clock.now()))) return click.reply.add(plainMessage(SHARED_ALREADY));
  try {
    const answer = await read(isNamed ? NAMED_CHANNEL : CHANNEL);
    if (answer.kind === 'refusal') return await click.reply.add(answer.message);
    await click.reply.share({ ...answer.message, names: answer.names });
  } catch (error) {
    // If Slack’s answer was lost, the message may have been posted; after any other error it was not.
    if (!isUnknownOutcome(error)) await forgetEvent(deps.db, key);
    throw error;
  }
}

async function checkChannel({ channels }: UsageDeps, channel: string): Promise<AccessDecision> {
  if (channel.startsWith('D')) return { allowed: false, why: NO_CHANNEL };
  const verdict = await channels.checkReaders(channel);
  if (verdict.kind === 'allowed') return { allowed: true };
  const isUnseen = verdict.kind === 'refused' && verdict.code === 'channel_not_found';
  return { allowed: false, why: isUnseen ? UNSEEN : `Nothing was shared. ${verdict.sentence}` };
}

function sharedView(view: AddressedView<ChannelAudience>, words: string, click: Click): BlockMessage {
  const more = view.more ? [moreButton(words)] : [];
  const csv = view.hasNames ? [] : [csvButton(words)];
  return shortMessage(view, buttonRow(...more, ...csv, explainButton(EXPLAIN_ACTION, words)), sharedBy(click));
}

export const sharedBy = ({ person }: Click): Paragraph<never> => ({
  blocks: [context(markup`Shared by ${mention(person.slackId)}`)],
  lines: [],
});

/** The request to the response address timed out or broke off; a refusal is a ReplyError. */
function isUnknownOutcome(error: unknown): boolean {
  return !(error instanceof ReplyError) && error instanceof Error && ['TimeoutError', 'TypeError'].includes(error.name);
}
