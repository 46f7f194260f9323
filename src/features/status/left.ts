import { markup, mention, withRest } from '../../core/base/text/markup.ts';
import type { BlockMessage } from '../../core/slack/blocks/blocks.ts';
import { plainMessage, type RoleDenial } from '../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose } from '../../core/slack/blocks/paragraphs.ts';
import { readReference } from '../../core/slack/commands/command-text.ts';
import { questionFor } from '../../core/slack/interactions/verbs.ts';
import type {
  Interaction,
  Interactions,
  ReadCommand,
  RecurringPost,
} from '../../core/slack/interactions/interactions.ts';
import { unfitRow } from './here.ts';
import type { People } from '../../core/slack/people/people.ts';

const ADMINS: RoleDenial = { what: '/quartermaster left', role: 'admin' };
/** Each takes two blocks of a message. */
const MAX_SHOWN = 20;

interface LeftDeps {
  features: readonly Interactions[];
  people: Pick<People, 'describe' | 'findByEmails' | 'identifyAfresh'>;
}

/** `/quartermaster left @person`: what is theirs, for admins after somebody left. */
export function readLeft(deps: LeftDeps, [word, ...rest]: readonly string[]): ReadCommand {
  const reference = word === undefined ? undefined : readReference(word);
  // Slack offers no deactivated people for a mention, so their e-mail or id is typed.
  const slackId = reference?.kind === 'person' ? reference.slackId : /^[UW][A-Z0-9]{2,20}$/.exec(word ?? '')?.[0];
  const email = reference?.kind === 'email' ? reference.email : undefined;
  if (rest.length > 0 || (slackId === undefined && email === undefined))
    return {
      kind: 'misunderstood',
      sentence: 'Who left? Name one person, or type their e-mail or Slack id.',
    };
  return questionFor(ADMINS, (by) => showLeft(deps, { slackId, email }, by));
}

async function showLeft(
  { features, people }: LeftDeps,
  named: { slackId: string | undefined; email: string | undefined },
  { person, reply }: Interaction,
): Promise<void> {
  const slackId =
    named.slackId ??
    (named.email === undefined ? undefined : (await people.findByEmails([named.email]))?.get(named.email));
  const email = named.email ?? (slackId === undefined ? undefined : (await people.describe(slackId))?.email);
  if (slackId === undefined && email === undefined) return reply.show(plainMessage('Slack doesn’t know this person.'));
  const isGone = slackId === undefined ? undefined : await isDeactivated(people, slackId);
  const belongings = await Promise.all(
    features.map(async (feature) => (await feature.belongingsOf?.({ slackId, email }, person)) ?? []),
  );
  const name = slackId === undefined ? markup`${email ?? ''}` : mention(slackId);
  const state = STATES[isGone === undefined ? 'unknown' : isGone ? 'gone' : 'active'];
  await reply.show(leftMessage(belongings.flat(), markup`*What belongs to ${name}.* ${state}`));
}

const STATES = {
  gone: 'Their Slack account is deactivated: nothing more is sent to them.',
  active: 'Their Slack account is still active.',
  unknown: 'Slack shows no active account with this e-mail. For digests, budgets and tokens, type their Slack id.',
};

async function isDeactivated(people: Pick<People, 'identifyAfresh'>, slackId: string): Promise<boolean | undefined> {
  const identification = await people.identifyAfresh(slackId);
  if (identification.kind === 'known') return false;
  return identification.reason === 'unknown' ? undefined : identification.reason === 'deactivated';
}

function leftMessage(posts: readonly RecurringPost[], title: ReturnType<typeof markup>): BlockMessage {
  if (posts.length === 0) return messageOf(prose([title, markup`Nothing in Quartermaster is theirs.`]));
  const rows = posts.map(({ lines, buttons }) => [prose(lines), buttonRow(...buttons)]);
  return messageOf(prose(title), ...withRest(rows, MAX_SHOWN, unfitRow).flat());
}
