import { z } from 'zod';
import type { Click, ClickAction, Interaction, ReadCommand } from '../../core/slack/interactions/interactions.ts';
import type { Reply } from '../../core/slack/outbound/reply.ts';
import { buttonRow, messageOf, prose } from '../../core/slack/blocks/paragraphs.ts';
import { unknownIdMessage } from '../../core/slack/blocks/messages.ts';
import { change, inModal, question, readVerb } from '../../core/slack/interactions/verbs.ts';
import { changeAction, readAction, modalAction, modalActions } from '../../core/slack/interactions/click-actions.ts';
import { hasRole } from '../../core/base/roles.ts';
import { markup, type Markup } from '../../core/base/text/markup.ts';
import { ACTIONS, nowButton, removeButton } from './core/digest-buttons.ts';
import { changeDigest, findRemovable, sendDigestAgain, type ChangeResult } from './manage/change.ts';
import { listMessage } from './manage/list-digests.ts';
import { SHOW_FIELDS_ACTION, EDIT_TITLE, NEW_TITLE } from './manage/digest-form.ts';
import { showEditForm, showChosenFields } from './manage/edit.ts';
import { showPreview } from './manage/show.ts';
import { showKeptForm, showNewForm } from './manage/create.ts';
import { listDigests, type DigestRow } from './core/digest-list.ts';
import type { DigestDeps } from './core/digests-deps.ts';
import { DIGEST_HELP, parseDigest, type Change, type DigestRequest } from './digest-command.ts';
import { sendNow } from './manage/send-now.ts';
import { placeMarkup, summaryOf } from './core/describe.ts';
import { whyMessage } from './manage/history.ts';

export function readDigestCommand(deps: DigestDeps, words: readonly string[], now: Date): ReadCommand {
  const changing = ({ kind, id }: { kind: 'pause' | 'resume'; id: string }) =>
    change(async (by) => {
      const result = await changeDigest(deps, kind, id, by);
      await showOutcome(deps, by, kind, id, result);
      if (result.kind === 'done') await by.refreshHome();
    });
  return readVerb<DigestRequest>(parseDigest(words, now), {
    list: () => question(async ({ person, reply }) => reply.show(listMessage(await listDigests(deps, person), person))),
    new: () => inModal(NEW_TITLE, (by, opened) => showNewForm(deps, by, opened)),
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
      [ACTIONS.new]: showNewForm,
      [ACTIONS.finish]: showKeptForm,
      [SHOW_FIELDS_ACTION]: showChosenFields,
    }),
    modalAction(ACTIONS.edit, 'manager', EDIT_TITLE, (click, opened) => showEditForm(deps, idOf(click), click, opened)),
    changeAction(ACTIONS.now, 'manager', async (click) =>
      answerClick(deps, click, await sendNow(deps, idOf(click), click, click.clickedAt)),
    ),
    readAction(ACTIONS.preview, 'manager', async (click) => {
      // The list must remain visible.
      const reply: Pick<Reply, 'show' | 'progress'> = {
        show: (message) => click.reply.add(message),
        progress: () => {},
      };
      const refusal = await showPreview(deps, idOf(click), { person: click.person, reply });
      if (refusal) await click.reply.add(await click.refusal(refusal.sentence));
    }),
    changing(ACTIONS.pause, 'pause'),
    changing(ACTIONS.resume, 'resume'),
    changing(ACTIONS.remove, 'remove'),
    changeAction(ACTIONS.sendAgain, 'manager', async (click) => {
      const { sentence } = await sendDigestAgain(deps, idOf(click), click);
      await click.reply.add(await click.refusal(sentence));
    }),
  ];
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
