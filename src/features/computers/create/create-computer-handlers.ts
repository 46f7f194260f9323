import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { formReading } from '../../../core/slack/interactions/forms.ts';
import type { Click, FormReading, Interaction } from '../../../core/slack/interactions/interactions.ts';
import {
  type OpenModal,
  faultView,
  modal,
  sentenceView,
  type FormState,
  type ModalView,
} from '../../../core/slack/blocks/views.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import { statedSentence, reportError } from '../../../core/slack/blocks/faults.ts';
import { channelMention, clip, markup } from '../../../core/base/text/markup.ts';
import {
  CREATE_TITLE,
  createForm,
  formAfterChoice,
  formWithProblem,
  isRepositoryName,
  readForm,
  readMetadata,
  sameNameView,
  type Draft,
  type FormMetadata,
  suggestName,
} from './computer-form.ts';
import { carryOut, NOT_CREATED, type Creation } from './carry-out.ts';
import type { ComputerDeps } from '../core/computers-deps.ts';
import type { PlatformError } from '../../../core/platform/errors.ts';
import type { StoredBody } from '../core/orders.ts';
import { LEASE_MS, addOrder, findOrder, lastBodyOf, moveOrder, bodyColumn } from '../core/orders.ts';

/** Shows the form, filled with the person’s last order except for its name. @param prefill contents that replace it */
export async function showCreateForm(
  deps: ComputerDeps,
  { person, channel }: Interaction,
  opened: OpenModal,
  prefill: Draft = {},
): Promise<void> {
  const { name: _, ...last }: Draft = bodyColumn.readIfKnown(await lastBodyOf(deps.db, person.slackId)) ?? {};
  const channelName = await deps.channels.nameIfPostable(channel);
  await opened.show(createForm({ ...last, ...prefill }, { key: randomUUID(), channel }, channelName));
}

export async function showProviderFields(deps: ComputerDeps, { form }: Click, opened: OpenModal): Promise<void> {
  const metadata = readMetadata(form.metadata);
  const name = await deps.channels.nameIfPostable(metadata.channel);
  await opened.show(formAfterChoice(form.state, metadata, name));
}

const orderIdOf = ({ value }: Click) => z.uuid().parse(value);

export async function showAgain(deps: ComputerDeps, click: Click, opened: OpenModal): Promise<void> {
  const order = await findOrder(deps.db, orderIdOf(click));
  const isTheirs = order?.person === click.person.slackId;
  await showCreateForm(deps, click, opened, isTheirs ? (bodyColumn.readIfKnown(order.body) ?? {}) : {});
}

export function readCreation(deps: ComputerDeps, state: FormState, metadata: string): FormReading {
  const { body, isFollowed, errors } = readForm(state);
  const submitted = { ...readMetadata(metadata), isFollowed, body };
  return formReading(errors, 'Creating it …', (by, opened) => submit(deps, submitted, by, opened));
}

type Submission = FormMetadata & Pick<ReturnType<typeof readForm>, 'isFollowed' | 'body'>;

async function submit(
  deps: ComputerDeps,
  { key, channel, isFollowed, body: typed }: Submission,
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const person = interaction.person.slackId;
  const completed = await completeAddresses(deps, typed, interaction);
  if (completed.kind === 'unclear') {
    const channelName = await deps.channels.nameIfPostable(channel);
    return opened.show(formWithProblem(typed, { key, channel, isFollowed }, channelName, completed.sentence));
  }
  const { body } = completed;
  // Only the requester sees the command, so the card is a direct message unless they choose its open channel.
  const isOpen = isFollowed && (await deps.channels.nameIfPostable(channel)) !== undefined;
  const { name, remoteUser } = body;
  const orderFields = {
    id: key,
    person,
    channel: isOpen ? channel : person,
    body: JSON.stringify(body),
    name,
    remoteUser,
  };
  const order = { ...orderFields, state: 'requested' as const, leaseMs: LEASE_MS };
  const isNew = await addOrder(deps.db, order, deps.clock.now());
  await deps.checkpoint('computers:order_stored');
  if (!isNew) return opened.show(takenView());
  await carryOutInModal(deps, key, false, interaction, opened);
}

type Completed = { kind: 'complete'; body: StoredBody } | { kind: 'unclear'; sentence: string };

/** Puts addresses in place of names such as `acme/web`, as far as each is that of one known repository. */
async function completeAddresses(deps: ComputerDeps, body: StoredBody, { log }: Interaction): Promise<Completed> {
  const repos: string[] = [];
  for (const typed of body.repos ?? []) {
    const found = await findAddresses(deps, typed, log);
    if (typeof found === 'string') return { kind: 'unclear', sentence: `${found} ${TYPE_ADDRESS}` };
    repos.push(...found);
  }
  return { kind: 'complete', body: repos.length === 0 ? body : { ...body, repos } };
}

const TYPE_ADDRESS = 'Type its address, such as https://github.com/acme/web.';
const MAX_FOUND = 3;

/** @returns one address, or a sentence */
async function findAddresses(
  deps: ComputerDeps,
  typed: string,
  log: Interaction['log'],
): Promise<readonly [string] | string> {
  if (!isRepositoryName(typed)) return [typed];
  try {
    const [address, ...others] = await deps.findAddresses(typed);
    if (address === undefined) return `No readiness report is about “${clip(typed, 60)}”, so its address isn’t known.`;
    if (others.length === 0) return [address];
    const found = [address, ...others].slice(0, MAX_FOUND).join(', ');
    return `“${clip(typed, 60)}” could be ${clip(found, 300)}.`;
  } catch (error) {
    const { sentence } = reportError(error, log, { repository: typed });
    return `“${clip(typed, 60)}” couldn’t be looked up. ${sentence}`;
  }
}

export async function createAnother(deps: ComputerDeps, click: Click, opened: OpenModal): Promise<void> {
  const order = await findOrder(deps.db, orderIdOf(click));
  if (order?.person !== click.person.slackId) {
    return opened.show(sentenceView(CREATE_TITLE, 'Only the person who requested this computer can do this.'));
  }
  if (order.state !== 'asked') return opened.show(takenView());
  await carryOutInModal(deps, order.id, true, click, opened);
}

async function carryOutInModal(
  deps: ComputerDeps,
  id: string,
  isConfirmed: boolean,
  { log, person }: Interaction,
  opened: OpenModal,
): Promise<void> {
  let creation: Creation;
  try {
    creation = await carryOut(deps, id, isConfirmed);
  } catch (error) {
    // The list could not be read, so nothing was sent. The requester sees the error, and nothing may follow later.
    await moveOrder(deps.db, { id, from: ['requested', 'asked'] }, NOT_CREATED, deps.clock.now());
    throw error;
  }
  const about = { order: id, user: person.slackId };
  const again = creation.kind === 'refused' ? await formWithSuggestion(deps, id, creation.error) : undefined;
  if (again) reportError(creation.kind === 'refused' ? creation.error : undefined, log, about);
  await opened.show(again ?? (await viewOf(deps, id, creation, (error) => reportError(error, log, about))));
}

/** The platform refused a name that some platforms don't take: the form comes back with one that all take. */
async function formWithSuggestion(
  { db, channels }: ComputerDeps,
  id: string,
  error: PlatformError,
): Promise<ModalView | undefined> {
  const order = await findOrder(db, id);
  const body = bodyColumn.readIfKnown(order?.body ?? null);
  const suggestion = suggestName(body?.name ?? '');
  if (error.code !== 'invalid_request' || !order || !body || suggestion === undefined) return undefined;
  const isFollowed = order.channel !== order.person;
  const channel = isFollowed ? order.channel : '';
  return formWithProblem(
    { ...body, name: suggestion },
    { key: randomUUID(), channel, isFollowed },
    isFollowed ? await channels.nameIfPostable(channel) : undefined,
    `${body.name} was not created. ${statedSentence(error)} A name of lowercase letters, digits and hyphens may help.`,
  );
}

async function viewOf(
  deps: ComputerDeps,
  id: string,
  creation: Creation,
  report: (error: unknown) => { sentence: string; reference: string },
): Promise<ModalView> {
  const order = await findOrder(deps.db, id);
  const name = order?.name ?? '';
  switch (creation.kind) {
    case 'created':
      return createdView(name, order?.channel ?? '');
    case 'refused': {
      const reported = report(creation.error);
      return faultView(CREATE_TITLE, {
        ...reported,
        sentence: `${name} was not created. ${statedSentence(creation.error)}`,
      });
    }
    case 'unknown':
      return unknownView(name);
    case 'asked':
      return sameNameView(id, name, creation.same, deps.clock.now());
    case 'taken':
      return takenView();
    default:
      return creation satisfies never;
  }
}

function createdView(name: string, channel: string): ModalView {
  const where = /^[CG][A-Z0-9]+$/.test(channel)
    ? markup`in ${channelMention(channel)}`
    : markup`in your direct messages with Quartermaster`;
  const lines = [
    markup`*The platform is creating ${name}.*`,
    markup`A card ${where} follows it until it is ready; then you get a direct message.`,
  ];
  return modal({ title: CREATE_TITLE, blocks: [section(lines)] });
}

function unknownView(name: string): ModalView {
  const lines = [
    markup`*It is not known yet whether ${name} was created:* the platform’s answer was lost.`,
    markup`Quartermaster looks for it and sends you the result within a few minutes. Until then, don’t create it again.`,
  ];
  return modal({ title: CREATE_TITLE, blocks: [section(lines)] });
}

function takenView(): ModalView {
  return sentenceView(
    CREATE_TITLE,
    'This form was already submitted, and makes one computer only. /computers shows how it’s going.',
  );
}
