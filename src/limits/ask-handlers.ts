import { commandText, plainWord } from '../slack/command-text.ts';
import type { Interaction, OpenModal } from '../feature.ts';
import { actions, section } from '../slack/blocks.ts';
import { runCommandButton } from '../slack/messages.ts';
import { hasRole, type Person } from '../slack/people.ts';
import { joinMarkup, markup, type Markup } from '../slack/text.ts';
import { modal, sentenceView, type ModalView } from '../slack/views.ts';
import { formatAmount } from './amounts.ts';
import { makeRequest, type Ask } from './asking.ts';
import type { CardPlace } from './announcing.ts';
import { findDraft, keepDraft, takeDraft } from './drafts.ts';
import { knownValues } from './ledger.ts';
import type { LimitParts } from './parts.ts';
import { findRequest, peopleOf, type NewPerson } from './requests.ts';
import { knownWords } from './person-lines.ts';
import { ASK_TITLE, askView, EMPTY_WISH, secondLookView, type AskForm } from './request-form.ts';
import { denialOf } from './rights.ts';
import { refusalLine } from './state-lines.ts';
import type { AskWords } from './words.ts';
import { judgeWish, readWishFacts } from './wish-facts.ts';
import type { Wish } from './wish.ts';

const NO_EMAIL =
  'Slack shows no e-mail for you, and the platform knows people by e-mail. Add one to your Slack profile.';
const OTHERS_ONLY_BY_MANAGERS =
  'You can ask for your own limit. For somebody else, a manager or an admin of Quartermaster has to ask.';

/** Shows the form, filled with what was typed after the command. */
export async function showAskForm(
  parts: LimitParts,
  words: AskWords,
  { person }: Pick<Interaction, 'person'>,
  opened: OpenModal,
): Promise<void> {
  const mayForOthers = denialOf('ask_for_others', person) === undefined;
  const isForOthers = mayForOthers && !words.isOwn;
  const namesOthers =
    words.people.some((id) => id !== person.slackId) || words.emails.some((email) => email !== person.email);
  if (!mayForOthers && namesOthers) return opened.show(sentenceView(ASK_TITLE, OTHERS_ONLY_BY_MANAGERS));
  if (!isForOthers && person.email === undefined) return opened.show(sentenceView(ASK_TITLE, NO_EMAIL));
  const people = isForOthers ? words.people : [];
  const wish: Wish = {
    ...EMPTY_WISH,
    people,
    emails: words.emails.join('\n'),
    amount: words.amount === undefined ? '' : String(words.amount),
    back: await ledgerValue(parts, person, people, words.emails, !isForOthers),
  };
  await opened.show(askView({ isForOthers }, wish, person.email));
}

/** What the ledger holds, where it is one person’s. */
async function ledgerValue(
  { db, people: directory }: LimitParts,
  person: Person,
  people: readonly string[],
  emails: readonly string[],
  isOwn: boolean,
): Promise<string> {
  const [id] = people;
  const described = id === undefined ? [] : [(await directory.describe(id))?.email];
  const own = isOwn ? [person.email] : [...emails, ...described, ...people.slice(1)];
  const [only] = own;
  if (own.length !== 1 || only === undefined) return '';
  const value = (await knownValues(db, [only])).get(only)?.value;
  return value === undefined ? '' : String(value);
}

/** Shows the form for going on with a raise that ends: the same people, value and way back. */
export async function showExtendForm(
  parts: LimitParts,
  id: string,
  { person }: Pick<Interaction, 'person'>,
  opened: OpenModal,
): Promise<void> {
  const request = await findRequest(parts.db, id);
  const raised = request ? await peopleOf(parts.db, id) : [];
  if (!request || request.until === null)
    return opened.show(sentenceView(ASK_TITLE, `There is no raise “${id}” that ends.`));
  const isForOthers = hasRole(person.role, 'manager');
  const own = raised.filter(({ email }) => email === person.email);
  const kept = isForOthers ? raised : own;
  const [first] = kept;
  if (!first) return opened.show(refusalView(refusalLine('not_theirs', request)));
  const backs = new Set(kept.map(({ return_value: value }) => value));
  const wish: Wish = {
    ...EMPTY_WISH,
    people: isForOthers ? kept.flatMap(({ slack_id: slackId }) => slackId ?? []) : [],
    emails: isForOthers
      ? kept.flatMap(({ slack_id: slackId, email }) => (slackId === null ? [email] : [])).join('\n')
      : '',
    amount: String(first.set_value ?? first.approved_value ?? first.to_value),
    back: backs.size === 1 && first.return_value !== null ? String(first.return_value) : '',
  };
  await opened.show(askView({ isForOthers, extended: id }, wish, person.email));
}

const refusalView = (line: Markup): ModalView => modal({ title: ASK_TITLE, blocks: [section(line)] });

/** Takes in what was submitted: faults go back to their fields, doubts are shown once, and the rest is sent. */
export async function takeWish(
  parts: LimitParts,
  cardPlace: () => Promise<CardPlace>,
  { form, wish }: { form: AskForm; wish: Wish },
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const { person } = interaction;
  // The form came back from the person, so what it claims to be is not believed.
  if (form.isForOthers && denialOf('ask_for_others', person))
    return opened.show(sentenceView(ASK_TITLE, OTHERS_ONLY_BY_MANAGERS));
  if (!form.isForOthers && person.email === undefined) return opened.show(sentenceView(ASK_TITLE, NO_EMAIL));
  const facts = await readWishFacts(parts, wish, person, form.extended);
  const { problems, warnings, people } = judgeWish(wish, facts);
  if (Object.keys(problems).length > 0) return opened.show(askView(form, wish, person.email, problems));
  const ask: Ask = { kind: 'ask', reason: wish.reason, until: wish.until, people };
  if (warnings.length === 0) return send(parts, await cardPlace(), ask, interaction, opened);
  const until = wish.until?.toISOString();
  const contents = { ...ask, people: [...people], until };
  const draft = await keepDraft(parts.db, person.slackId, contents, parts.clock.now());
  await opened.show(secondLookView(draft, linesOf(people), warnings));
}

const MOST_LINES = 20;

function linesOf(people: readonly NewPerson[]): Markup[] {
  const lines = people
    .slice(0, MOST_LINES)
    .map(({ email, from, to }) => markup`${email}: ${knownWords(from)} → ${formatAmount(to)}`);
  const rest = people.length - MOST_LINES;
  return rest > 0 ? [...lines, markup`and ${rest} more`] : lines;
}

const DRAFT_GONE = 'This was sent already, or is too old. /limits shows what is open.';

/** Sends what was shown once more, once. */
export async function sendDraft(
  parts: LimitParts,
  cardPlace: () => Promise<CardPlace>,
  draftId: string,
  interaction: Interaction,
  opened: OpenModal,
  change: (draft: Ask) => Ask = (draft) => draft,
): Promise<void> {
  const draft = await findDraft(parts.db, draftId, interaction.person.slackId);
  if (!draft) return opened.show(sentenceView(ASK_TITLE, DRAFT_GONE));
  const isForOthers = draft.people.some(({ email }) => email !== interaction.person.email);
  // Between the two looks somebody may have lost the right.
  if (isForOthers && denialOf(draft.kind === 'import' ? 'import' : 'ask_for_others', interaction.person))
    return opened.show(sentenceView(ASK_TITLE, OTHERS_ONLY_BY_MANAGERS));
  const people = draft.people.map(({ email, to, slackId, from, returnTo }) => ({ email, to, slackId, from, returnTo }));
  const until = draft.until === undefined ? undefined : new Date(draft.until);
  const ask = change({ ...draft, until, people });
  await send(parts, await cardPlace(), ask, interaction, opened, draftId);
}

async function send(
  parts: LimitParts,
  place: CardPlace,
  ask: Ask,
  interaction: Interaction,
  opened: OpenModal,
  draftId?: string,
): Promise<void> {
  const id = await makeRequest(parts, place, interaction.person, ask, (trx) =>
    draftId === undefined ? Promise.resolve(true) : takeDraft(trx, draftId),
  );
  if (id === undefined) return opened.show(sentenceView(ASK_TITLE, DRAFT_GONE));
  await opened.show(sentView(id, place));
  await interaction.refreshHome();
}

function sentView(id: string, place: CardPlace): ModalView {
  const where =
    place.kind === 'channel'
      ? markup`It stands in <#${place.channel}> now.`
      : markup`The admins have it by direct message.`;
  const lines = [
    markup`*Sent.* Your request is \`${id}\`. ${where}`,
    markup`Nothing changes until an admin approves it. You hear by direct message what comes of it.`,
  ];
  return modal({
    title: ASK_TITLE,
    blocks: [
      section(joinMarkup(lines, '\n')),
      actions(runCommandButton('Look at it', '/limits', commandText`show ${plainWord(id)}`)),
    ],
  });
}
