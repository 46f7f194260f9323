import { createHash } from 'node:crypto';
import { z } from 'zod';
import { markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { planDue } from '../../../core/schedule/due-subscriptions.ts';
import { nextOccurrence, type Occurrence, type Schedule } from '../../../core/schedule/occurrences.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { changeSubscription, findSubscription, scheduleIn } from '../../../core/schedule/subscriptions.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import { didYouMean } from '../../../core/slack/commands/command-text.ts';
import { section } from '../../../core/slack/blocks/blocks.ts';
import { modal, type ModalView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import { formHandler, formReading } from '../../../core/slack/interactions/forms.ts';
import type { Refusal } from '../../../core/slack/blocks/messages.ts';
import type { Form, Interaction, Click } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { audit, listAuditEntries } from '../../../core/store/audit.ts';
import { readSettings } from '../core/contents.ts';
import { coveredWords } from '../core/covered-words.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { aboutDigest, capital, ownerMarkup, placeMarkup, SETTINGS_SUBSCRIPTION } from '../core/describe.ts';
import { listDigests, mayChange, mayRead } from '../core/digest-list.ts';
import { listPlanned, wasPlanned, type PlannedDigest } from '../core/planned.ts';
import { digestSubscription } from '../deliver/plan.ts';
import { describeSchedule, type Cadence } from '../core/settings.ts';
import { NOT_EDITABLE, notTheirs } from './change.ts';
import { aboutSmallTeam, readFacts, termsOf, type Terms, refusalOfSmallTeam } from './create.ts';
import {
  draftOf,
  EDIT_FORM,
  EDIT_TITLE,
  formView,
  readForm,
  type EditedDigest,
  type NewDigest,
  withHiddenFields,
} from './digest-form.ts';
import { showsMore } from '../../../core/slack/interactions/form-fields.ts';

/** The digest that the form was opened for; `version` shows whether it was changed in the meantime. */
const metadataSchema = z.object({ id: z.string().max(40), version: z.string().max(40) });
type FormMetadata = z.infer<typeof metadataSchema>;

/** @example versionOf(subscription) // '3f0c…', which changes with its schedule or content */
function versionOf({ schedule, settings }: Pick<Subscription, 'schedule' | 'settings'>): string {
  return createHash('sha256').update(`${schedule}\n${settings}`).digest('hex').slice(0, 16);
}

/** Shows a digest’s settings to a person who may change them. Its destination is fixed: its history is there. */
export async function showEditForm(
  deps: DigestDeps,
  id: string,
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const editable = await findEditable(deps, id, interaction.person);
  if (editable.kind === 'refused') return interaction.reply.show(await interaction.refusal(editable.why));
  await showForm(deps, editable.subscription, interaction, opened);
}

type Editable = { kind: 'found'; subscription: Subscription } | { kind: 'refused'; why: Refusal };

const refused = (why: Refusal): Editable => ({ kind: 'refused', why });

async function findEditable(deps: DigestDeps, id: string, person: Person): Promise<Editable> {
  const subscription = await findSubscription(deps.db, 'digest', id);
  if (!subscription || subscription.state === 'removed' || !mayRead(person, subscription)) {
    const ids = (await listDigests(deps, person)).map((row) => row.subscription.id);
    const meant = didYouMean(id, ids);
    const more =
      meant === undefined ? markup`\`/digest\` lists them all.` : markup`Did you mean \`/digest edit ${meant}\`?`;
    return refused(markup`There is no digest “${id}”. ${more}`);
  }
  if (id === SETTINGS_SUBSCRIPTION) return refused(NOT_EDITABLE);
  return mayChange(person, subscription) ? { kind: 'found', subscription } : refused(notTheirs(subscription));
}

const sentenceModal = (...lines: readonly Markup[]): ModalView =>
  modal({ title: EDIT_TITLE, blocks: [section(lines)] });

async function showForm(
  deps: DigestDeps,
  subscription: Subscription,
  interaction: Interaction,
  opened: OpenModal,
  again?: { draft: NewDigest; problem: string | Markup },
): Promise<void> {
  const facts = await readFacts(deps, interaction);
  const metadata: FormMetadata = { id: subscription.id, version: versionOf(subscription) };
  const edited = { place: placeMarkup(subscription.channel), metadata: JSON.stringify(metadata) };
  const draft = again?.draft ?? draftOf(facts, readSettings(subscription), scheduleIn(subscription));
  await opened.show(formView(facts, draft, again?.problem, edited));
}

/** Returns the destination of the digest in an open form; undefined if the person may not change it now. */
async function placeOfEdited(deps: DigestDeps, metadata: string, person: Person): Promise<EditedDigest | undefined> {
  const editable = await findEditable(deps, metadataSchema.parse(JSON.parse(metadata)).id, person);
  return editable.kind === 'found' ? { place: placeMarkup(editable.subscription.channel), metadata } : undefined;
}

export const editForm = (deps: DigestDeps): Form =>
  formHandler(EDIT_FORM, 'manager', (state, metadata) => {
    const about = metadataSchema.parse(JSON.parse(metadata));
    const { digest, errors } = readForm(state, 'edit');
    return formReading(errors, 'Saving it …', (by, opened) => save(deps, about, digest, by, opened));
  });

async function save(
  deps: DigestDeps,
  { id, version }: FormMetadata,
  digest: NewDigest,
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const editable = await findEditable(deps, id, interaction.person);
  if (editable.kind === 'refused') return interaction.reply.show(await interaction.refusal(editable.why));
  const { subscription } = editable;
  const again = (problem: string | Markup) =>
    showForm(deps, subscription, interaction, opened, { draft: digest, problem });
  const terms = await termsOf(deps, digest, interaction);
  if ('problem' in terms) return again(terms.problem);
  const isForChannel = !isPersonAddress(subscription.channel);
  const smallTeamRefusal = await refusalOfSmallTeam(deps, terms.settings, isForChannel, interaction.person);
  if (smallTeamRefusal !== undefined) return again(smallTeamRefusal);
  const edit = { ...terms, subscription, version, by: interaction.person.slackId };
  const next = await applyEdit(deps, edit);
  if (!next) return opened.show(sentenceModal(await conflictSentence(deps, id)));
  await opened.show(savedView(subscription, terms, next.at));
  await interaction.refreshHome();
}

interface Edit extends Terms {
  subscription: Subscription;
  version: string;
  by: string;
}

/** @returns when it comes next; undefined if it was changed since the form was opened */
async function applyEdit({ db, clock }: DigestDeps, edit: Edit): Promise<Occurrence | undefined> {
  const { version, schedule, settings, by } = edit;
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const stored = await findSubscription(trx, 'digest', edit.subscription.id);
    if (!stored || versionOf(stored) !== version) return undefined;
    // A digest that is due now is planned by the schedule that it had, so that no edit takes it away.
    const plannedNext =
      stored.state === 'active' ? await planDue(trx, stored, digestSubscription(clock), now) : undefined;
    const subscription = { ...stored, nextDueAt: plannedNext?.toISOString() ?? stored.nextDueAt };
    const planned = await listPlanned(trx, subscription.id);
    const next = nextNewOccurrence(schedule, settings.cadence, now, planned);
    if (!(await changeSubscription(trx, subscription, { schedule, settings, nextDueAt: next.at }, now)))
      return undefined;
    await audit(trx, { about: aboutDigest(subscription.id), actor: by, action: 'edited', detail: null }, now);
    return next;
  });
}

/** Every schedule has a new date within this many occurrences. */
const MAX_CHECKED_OCCURRENCES = 40;

/** Returns the first occurrence with a date and days for which no digest was planned. Pure. */
function nextNewOccurrence(
  schedule: Schedule,
  cadence: Cadence,
  now: Date,
  planned: readonly PlannedDigest[],
): Occurrence {
  let next = nextOccurrence(schedule, now);
  for (
    let checked = 1;
    checked < MAX_CHECKED_OCCURRENCES && wasPlanned(planned, cadence, schedule, next);
    checked += 1
  ) {
    next = nextOccurrence(schedule, next.at);
  }
  return next;
}

async function conflictSentence({ db }: DigestDeps, id: string): Promise<Markup> {
  const last = (await listAuditEntries(db, aboutDigest(id))).findLast(({ action }) => action === 'edited');
  const who = last ? markup`${ownerMarkup(last.actor)}` : markup`Another manager`;
  return markup`${who} changed the digest \`${id}\` while you had this form open, so nothing was saved. Open it again to see how it is now.`;
}

function savedView(subscription: Subscription, { schedule, settings: { cadence } }: Terms, next: Date): ModalView {
  const { id, state, channel } = subscription;
  const when =
    state === 'paused'
      ? markup`⏸️ It is paused. Resume it with \`/digest resume ${id}\`.`
      : markup`The next one comes ${readerTime(next)}, to ${placeMarkup(channel)}.`;
  return sentenceModal(
    markup`✅ *Saved.* ${when}`,
    markup`${capital(describeSchedule(cadence, schedule))}. ${capital(coveredWords(cadence, schedule, next))}.`,
    markup`Digests already sent don’t change. \`/digest preview ${id}\` shows you how it looks now.`,
  );
}

/** Shows the form again with the fields that a choice needs, and a warning if the chosen group is small. */
export async function showChosenFields(deps: DigestDeps, click: Click, opened: OpenModal): Promise<void> {
  const { state, metadata } = click.form;
  const edited = metadata === '' ? undefined : await placeOfEdited(deps, metadata, click.person);
  const facts = await readFacts(deps, click);
  const digest = withHiddenFields(facts, readForm(state, edited ? 'edit' : 'new').digest);
  const aboutTeam = await aboutSmallTeam(deps, facts, digest, click.person);
  const showsAllFields = showsMore(click, 'zone');
  await opened.show(formView({ ...facts, aboutTeam, showsAllFields }, digest, undefined, edited));
}
