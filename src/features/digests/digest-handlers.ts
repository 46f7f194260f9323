import { z } from 'zod';
import type { Day } from '../../core/base/time/calendar.ts';
import type { Click, ClickAction, Interaction, ReadCommand } from '../../core/slack/interactions/interactions.ts';
import type { Reply } from '../../core/slack/outbound/reply.ts';
import { buttonRow, messageOf, prose } from '../../core/slack/blocks/paragraphs.ts';
import { plainMessage, unknownIdMessage } from '../../core/slack/blocks/messages.ts';
import { change, inModal, question, readVerb } from '../../core/slack/interactions/verbs.ts';
import { changeAction, readAction, modalAction, modalActions } from '../../core/slack/interactions/click-actions.ts';
import { hasRole } from '../../core/base/roles.ts';
import { markup, type Markup } from '../../core/base/text/markup.ts';
import { ACTIONS, nowButton, pauseButton, removeButton, resumeButton } from './core/digest-buttons.ts';
import { changeDigest, findRemovable, sendDigestAgain, type ChangeResult } from './manage/change.ts';
import { listMessage } from './manage/list-digests.ts';
import { SHOW_FIELDS_ACTION, EDIT_TITLE, NEW_TITLE } from './manage/digest-form.ts';
import { showEditForm, showChosenFields } from './manage/edit.ts';
import { showPreview, showSample } from './manage/show.ts';
import { showKeptForm, showNewForm } from './manage/create.ts';
import { listDigests, mayChange, type DigestRow } from './core/digest-list.ts';
import type { DigestDeps } from './core/digests-deps.ts';
import { DIGEST_HELP, parseDigest, type Change, type DigestRequest } from './digest-command.ts';
import { sendNow } from './manage/send-now.ts';
import { placeMarkup, SETTINGS_SUBSCRIPTION, summaryOf } from './core/describe.ts';
import { whyMessage } from './manage/history.ts';

export function readDigestCommand(deps: DigestDeps, words: readonly string[], now: Date): ReadCommand {
  const changing = ({ kind, id, until }: { kind: 'pause' | 'resume'; id: string; until?: Day }) =>
    change((by) => changeOne(deps, kind, { id, until }, by));
  return readVerb<DigestRequest>(parseDigest(words, now, deps.sections), {
    list: () => question(async ({ person, reply }) => reply.show(listMessage(await listDigests(deps, person), person))),
    new: (request) => inModal(NEW_TITLE, (by, opened) => showNewForm(deps, by, opened, request.words)),
    edit: ({ id }) => inModal(EDIT_TITLE, (by, opened) => showEditForm(deps, id, by, opened)),
    why: ({ days }) => question(async ({ person, reply }) => reply.show(await whyMessage(deps, person, days))),
    preview: ({ id }) =>
      question(async (by) => {
        const refusal = await showPreview(deps, id, by);
        if (refusal) await showOutcome(deps, by, 'preview', id, refusal);
      }),
    now: ({ id }) => change((by) => (id === undefined ? sendOnly(deps, by) : sendOne(deps, id, by))),
    pause: changing,
    resume: changing,
    remove: ({ id }) => change((by) => askToRemove(deps, id, by)),
    which: ({ change: wanted, until }) => change((by) => changeOwn(deps, wanted, by, until)),
  });
}

const sendOne = async (deps: DigestDeps, id: string, by: Interaction) =>
  showOutcome(deps, by, 'now', id, await sendNow(deps, id, by));

/** `/digest now` without an id: sends the only digest, or asks which one. */
async function sendOnly(deps: DigestDeps, interaction: Interaction): Promise<void> {
  const rows = await listDigests(deps, interaction.person);
  const [only] = rows;
  if (!only) return interaction.reply.show(listMessage([], interaction.person));
  if (rows.length > 1) return interaction.reply.show(whichMessage(rows));
  return sendOne(deps, only.subscription.id, interaction);
}

async function changeOne(
  deps: DigestDeps,
  kind: 'pause' | 'resume',
  { id, until }: { id: string; until?: Day | undefined },
  by: Interaction,
): Promise<void> {
  const result = await changeDigest(deps, kind, id, by, until);
  await showOutcome(deps, by, kind, id, result);
  if (result.kind === 'done') await by.refreshHome();
}

const DONE: Readonly<Record<Change, string>> = { pause: 'pause', resume: 'resume', remove: 'delete' };
const CHANGE_BUTTONS = { pause: pauseButton, resume: resumeButton };

/** Without an id: the only digest of one’s own, or for admins the only one; else says that there is none, or asks which. */
async function changeOwn(deps: DigestDeps, kind: Change, by: Interaction, until?: Day): Promise<void> {
  const { person, reply } = by;
  const rows = (await listDigests(deps, person)).filter(({ subscription }) => isOpenTo(kind, subscription));
  const own = rows.filter(({ subscription }) => subscription.owner === person.slackId);
  const meant = own.length > 0 ? own : rows.filter(({ subscription }) => mayChange(person, subscription));
  const [only] = meant;
  if (!only)
    return reply.show(
      plainMessage(`You have no digest of your own to ${DONE[kind]}. /digest lists those that you can see.`),
    );
  const { id } = only.subscription;
  if (meant.length === 1)
    return kind === 'remove' ? askToRemove(deps, id, by) : changeOne(deps, kind, { id, until }, by);
  const choices = meant.slice(0, MAX_CHOICES).map(({ subscription }) => subscription);
  if (until !== undefined) {
    const typed = markup`Type its id, such as \`/digest pause ${id} until ${until}\`.`;
    const lines = choices.map((one) => markup`•  ${digestLine(one)}`);
    return reply.show(messageOf(prose([markup`*Which digest do you want to pause?* ${typed}`, ...lines])));
  }
  const buttonOf = (one: DigestRow['subscription']) =>
    kind === 'remove' ? removeButton(one.id, `The ${summaryOf(one).name}`) : CHANGE_BUTTONS[kind](one.id);
  await reply.show(
    messageOf(
      prose(markup`*Which digest do you want to ${DONE[kind]}?*`),
      ...choices.flatMap((one) => [prose(digestLine(one)), buttonRow(buttonOf(one))]),
    ),
  );
}

function isOpenTo(kind: Change, { id, state }: DigestRow['subscription']): boolean {
  if (kind === 'remove') return id !== SETTINGS_SUBSCRIPTION;
  return kind === 'pause' ? state !== 'paused' : state === 'paused';
}

const MAX_CHOICES = 20;

function whichMessage(rows: readonly DigestRow[]) {
  const choices = rows.slice(0, MAX_CHOICES);
  const lines = choices.map(({ subscription }) => digestLine(subscription));
  return messageOf(
    prose([markup`*Which digest do you want now?*`, ...lines.map((line) => markup`•  ${line}`)]),
    buttonRow(...choices.map(({ subscription: { id } }) => nowButton(id, `Send ${id}`))),
  );
}

function digestLine(subscription: DigestRow['subscription']): Markup {
  const { name, rhythm } = summaryOf(subscription);
  return markup`\`${subscription.id}\`  ${name} to ${placeMarkup(subscription.channel)}, ${rhythm}`;
}

/** Asks for confirmation, because typed words are easily wrong; the button removes the digest. */
async function askToRemove(deps: DigestDeps, id: string, interaction: Interaction): Promise<void> {
  const { subscription, refusal } = await findRemovable(deps, id, interaction);
  if (!subscription) return showOutcome(deps, interaction, 'remove', id, refusal);
  const ask = markup`Delete this digest? ${digestLine(subscription)}`;
  const button = removeButton(id, `The ${summaryOf(subscription).name}`);
  await interaction.reply.show(messageOf(prose(ask), buttonRow(button)));
}

/** Shows the result in one sentence; for an unknown id, shows the help with the most similar id. */
async function showOutcome(
  deps: DigestDeps,
  { person, reply, refusal }: Interaction,
  word: Change | 'now' | 'preview',
  id: string,
  { kind, sentence }: ChangeResult,
): Promise<void> {
  if (kind !== 'unknown') return reply.show(await refusal(sentence));
  const ids = (await listDigests(deps, person)).map(({ subscription }) => subscription.id);
  return reply.show(unknownIdMessage(DIGEST_HELP, { word, id, ids, sentence: `There is no digest “${id}”.` }));
}

export function digestActions(deps: DigestDeps): ClickAction[] {
  const changing = (actionId: string, kind: Change): ClickAction =>
    changeAction(actionId, 'member', async (click) =>
      answerClick(deps, click, await changeDigest(deps, kind, idOf(click), click)),
    );
  return [
    ...modalActions(deps, 'manager', NEW_TITLE, {
      [ACTIONS.new]: (given, click, opened) => showNewForm(given, click, opened),
      [ACTIONS.finish]: showKeptForm,
      [SHOW_FIELDS_ACTION]: showChosenFields,
    }),
    modalAction(ACTIONS.edit, 'manager', EDIT_TITLE, (click, opened) => showEditForm(deps, idOf(click), click, opened)),
    changeAction(ACTIONS.now, 'manager', async (click) =>
      answerClick(deps, click, await sendNow(deps, idOf(click), click, click.clickedAt)),
    ),
    readAction(ACTIONS.preview, 'manager', (click) => showBelow(click, (by) => showPreview(deps, idOf(click), by))),
    readAction(ACTIONS.sample, 'manager', (click) => showBelow(click, (by) => showSample(deps, by))),
    changing(ACTIONS.pause, 'pause'),
    changing(ACTIONS.resume, 'resume'),
    changing(ACTIONS.remove, 'remove'),
    changeAction(ACTIONS.sendAgain, 'manager', async (click) => {
      const { sentence } = await sendDigestAgain(deps, idOf(click), click);
      await click.reply.add(await click.refusal(sentence));
    }),
  ];
}

type Shown = Pick<Interaction, 'person'> & { reply: Pick<Reply, 'show' | 'progress'> };

/** The message with the button must remain visible. */
async function showBelow(click: Click, show: (by: Shown) => Promise<ChangeResult | undefined>): Promise<void> {
  const reply: Shown['reply'] = { show: (message) => click.reply.add(message), progress: () => {} };
  const refusal = await show({ person: click.person, reply });
  if (refusal) await click.reply.add(await click.refusal(refusal.sentence));
}

const idOf = ({ value }: Click) => z.string().max(200).parse(value);

/** Answers a click. The list that only the clicker sees is updated below the sentence. */
async function answerClick(deps: DigestDeps, click: Click, { kind, sentence }: ChangeResult): Promise<void> {
  const { person, reply } = click;
  const isInList = click.isEphemeral && hasRole(person.role, 'manager');
  const message = await click.refusal(sentence);
  await reply.show(isInList ? listMessage(await listDigests(deps, person), person, message.text) : message);
  // This is slower than the answer, so it comes last.
  if (kind === 'done') await click.refreshHome();
}
