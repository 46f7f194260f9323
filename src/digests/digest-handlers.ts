import { commandText, plainWord } from '../slack/commands/command-text.ts';
import { z } from 'zod';
import type { Click, ClickAction, Interaction, ReadCommand } from '../slack/interactions.ts';
import type { Reply } from '../slack/inbound/reply.ts';
import { findSubscription } from '../schedule/subscriptions.ts';
import { buttonRow, messageOf, prose } from '../slack/blocks/paragraphs.ts';
import { didYouMean } from '../slack/commands/command-words.ts';
import { helpMessage } from '../slack/blocks/messages.ts';
import { hasRole } from '../base/roles.ts';
import { markup, type Markup } from '../base/text/markup.ts';
import { ACTIONS, nowButton, removeButton } from './core/digest-buttons.ts';
import { changeDigest, sendDigestAgain, type ChangeResult } from './manage/change.ts';
import { listMessage } from './manage/list-digests.ts';
import { SHOW_FIELDS_ACTION, EDIT_TITLE, NEW_TITLE } from './manage/digest-form.ts';
import { showChosenFields } from './manage/chosen-fields.ts';
import { showEditForm } from './manage/edit.ts';
import { showPreview } from './manage/show.ts';
import { showKeptForm, showNewForm } from './manage/create.ts';
import { listDigests, mayChange, type DigestRow } from './core/digest-list.ts';
import type { DigestDeps } from './core/digests-deps.ts';
import { DIGEST_HELP, parseDigest, type Change, type DigestRequest } from './digest-command.ts';
import { sendNow } from './manage/send-now.ts';
import { placeMarkup, SETTINGS_SUBSCRIPTION, summaryOf } from './core/describe.ts';
import { whyMessage } from './manage/history.ts';

/** Reads `/digest`. The words alone decide whether a modal opens, so that it opens at once. */
export function readDigestCommand(deps: DigestDeps, words: readonly string[], now: Date): ReadCommand {
  const parsed = parseDigest(words, now);
  if (parsed.kind !== 'run') return parsed;
  const { request } = parsed;
  if (request.kind === 'new') {
    return { kind: 'modal', title: NEW_TITLE, run: (interaction, modal) => showNewForm(deps, interaction, modal) };
  }
  if (request.kind === 'edit') {
    const { id } = request;
    return {
      kind: 'modal',
      title: EDIT_TITLE,
      run: (interaction, modal) => showEditForm(deps, id, interaction, modal),
    };
  }
  const isQuestion = QUESTIONS.has(request.kind);
  return { kind: 'run', isQuestion, run: (interaction) => runRequest(deps, request, interaction) };
}

const QUESTIONS: ReadonlySet<DigestRequest['kind']> = new Set(['list', 'why', 'preview']);

type RunRequest = Exclude<DigestRequest, { kind: 'new' } | { kind: 'edit' }>;

async function runRequest(deps: DigestDeps, request: RunRequest, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  switch (request.kind) {
    case 'list':
      return reply.show(listMessage(await listDigests(deps, person), person));
    case 'why':
      return reply.show(await whyMessage(deps, person, request.days));
    case 'now':
      return request.id === undefined
        ? sendOnly(deps, interaction)
        : showOutcome(deps, interaction, 'now', request.id, await sendNow(deps, request.id, interaction));
    case 'preview': {
      const refusal = await showPreview(deps, request.id, interaction);
      return refusal && showOutcome(deps, interaction, 'preview', request.id, refusal);
    }
    case 'remove':
      return askToRemove(deps, request.id, interaction);
    case 'pause':
    case 'resume': {
      const result = await changeDigest(deps, request.kind, request.id, interaction);
      await showOutcome(deps, interaction, request.kind, request.id, result);
      return result.kind === 'done' ? interaction.refreshHome() : undefined;
    }
    default:
      return request satisfies never;
  }
}

/** `/digest now` without an id: sends the only digest, or asks which one. */
async function sendOnly(deps: DigestDeps, interaction: Interaction): Promise<void> {
  const rows = await listDigests(deps, interaction.person);
  const [only] = rows;
  if (!only) return interaction.reply.show(listMessage([], interaction.person));
  if (rows.length > 1) return interaction.reply.show(whichMessage(rows));
  const { id } = only.subscription;
  return showOutcome(deps, interaction, 'now', id, await sendNow(deps, id, interaction));
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
  const { person, reply } = interaction;
  const subscription = await findSubscription(deps.db, 'digest', id);
  const isRemovable =
    subscription?.state !== 'removed' &&
    subscription !== undefined &&
    mayChange(person, subscription) &&
    id !== SETTINGS_SUBSCRIPTION;
  // `changeDigest` explains the refusal.
  if (!isRemovable)
    return showOutcome(deps, interaction, 'remove', id, await changeDigest(deps, 'remove', id, interaction));
  const ask = markup`Delete this digest? ${digestLine(subscription)}`;
  await reply.show(messageOf(prose(ask), buttonRow(removeButton(id, `The ${summaryOf(subscription).name}`))));
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
  const meant = didYouMean(id, ids);
  const corrected = meant === undefined ? undefined : commandText`${plainWord(word)} ${plainWord(meant)}`;
  return reply.show(helpMessage(DIGEST_HELP, { sentence: `There is no digest “${id}”.`, corrected }));
}

export function digestActions(deps: DigestDeps): ClickAction[] {
  const change = (actionId: string, kind: Change): ClickAction => ({
    actionId,
    role: 'member',
    isKept: true,
    run: async (click) => answerClick(deps, click, await changeDigest(deps, kind, idOf(click), click)),
  });
  return [
    {
      actionId: ACTIONS.new,
      role: 'manager',
      modalTitle: NEW_TITLE,
      runInModal: (click, modal) => showNewForm(deps, click, modal),
    },
    {
      actionId: ACTIONS.finish,
      role: 'manager',
      modalTitle: NEW_TITLE,
      runInModal: (click, modal) => showKeptForm(deps, click, modal),
    },
    {
      actionId: SHOW_FIELDS_ACTION,
      role: 'manager',
      modalTitle: NEW_TITLE,
      runInModal: (click, modal) => showChosenFields(deps, click, modal),
    },
    {
      actionId: ACTIONS.now,
      role: 'manager',
      isKept: true,
      run: async (click) => answerClick(deps, click, await sendNow(deps, idOf(click), click, click.clickedAt)),
    },
    {
      actionId: ACTIONS.edit,
      role: 'manager',
      modalTitle: EDIT_TITLE,
      runInModal: (click, modal) => showEditForm(deps, idOf(click), click, modal),
    },
    {
      actionId: ACTIONS.preview,
      role: 'manager',
      run: async (click) => {
        // The list must remain visible.
        const reply: Pick<Reply, 'show' | 'progress'> = {
          show: (message) => click.reply.add(message),
          progress: () => {},
        };
        const refusal = await showPreview(deps, idOf(click), { person: click.person, reply });
        if (refusal) await click.reply.add(await click.refusal(refusal.sentence));
      },
    },
    change(ACTIONS.pause, 'pause'),
    change(ACTIONS.resume, 'resume'),
    change(ACTIONS.remove, 'remove'),
    {
      actionId: ACTIONS.sendAgain,
      role: 'manager',
      isKept: true,
      run: async (click) => {
        const { sentence } = await sendDigestAgain(deps, idOf(click), click);
        await click.reply.add(await click.refusal(sentence));
      },
    },
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
