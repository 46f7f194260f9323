import { z } from 'zod';
import { markup, mention, type Markup } from '../../../../core/base/text/markup.ts';
import { sentenceView, type OpenModal } from '../../../../core/slack/blocks/views.ts';
import { formHandler, formReading } from '../../../../core/slack/interactions/forms.ts';
import type { Refusal } from '../../../../core/slack/blocks/messages.ts';
import type { Form, Interaction } from '../../../../core/slack/interactions/interactions.ts';
import { didYouMean } from '../../../../core/slack/commands/command-text.ts';
import { audit } from '../../../../core/store/audit.ts';
import { auditSubject, ruleWords, subjectWords, titleOf } from '../core/budget.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import { isPersonAddress } from '../../../../core/outbox/reader.ts';
import { refusalOfSmallTeam } from '../evaluate/members.ts';
import { refusalToSee, refusalToSet } from '../core/rights.ts';
import type { Person } from '../../../../core/slack/people/people.ts';
import { changeTerms, findBudget, listBudgets, type BudgetTerms, type StoredBudget } from '../core/budget-store.ts';
import { confirmation } from './create.ts';
import { draftOf, EDIT_FORM, EDIT_TITLE, editView, readBudgetForm } from './budget-form.ts';
import { readTerms } from './read-form.ts';
import { auditWords, warningPlace, SETTINGS_BUDGET } from './budget-list.ts';
import { readPriceList } from '../../../../core/figures/money/price-list.ts';
import { todayOf } from '../../../../core/analytics/period.ts';

const metadataSchema = z.object({ id: z.string().max(40), version: z.number() });

/** A budget from the settings, or a removed one, is refused with a sentence. */
type EditableBudget = { kind: 'found'; budget: StoredBudget } | { kind: 'refused'; why: Refusal };

export async function findChangeable(
  deps: BudgetDeps,
  id: string,
  person: Pick<Person, 'seesPeople'>,
): Promise<EditableBudget> {
  const budget = await findBudget(deps.db, id);
  if (!budget) return { kind: 'refused', why: await unknownBudget(deps, id) };
  const refusal = refusalToSee(person, budget);
  if (refusal) return { kind: 'refused', why: refusal };
  if (id !== SETTINGS_BUDGET) return { kind: 'found', budget };
  const why = markup`This budget comes from the server settings. The server operator changes or ends it there, with BUDGET_CREDITS, BUDGET_PERIOD, BUDGET_THRESHOLDS and BUDGET_CHANNEL.`;
  return { kind: 'refused', why };
}

async function unknownBudget({ db }: BudgetDeps, id: string): Promise<Markup> {
  const ids = (await listBudgets(db)).map((budget) => budget.id);
  const meant = didYouMean(id, ids);
  const more = meant === undefined ? markup`\`/budget\` lists them all.` : markup`Did you mean \`${meant}\`?`;
  return markup`There is no budget “${id}”. ${more}`;
}

export async function showEditForm(
  deps: BudgetDeps,
  id: string,
  { person, reply, refusal }: Interaction,
  opened: OpenModal,
): Promise<void> {
  const editable = await findChangeable(deps, id, person);
  if (editable.kind === 'refused') return reply.show(await refusal(editable.why));
  const { budget } = editable;
  const about = markup`${titleOf(budget)}: ${ruleWords(budget.period)} for ${subjectWords(budget.subject)}, warns ${warningPlace(budget.channel)}. To change these, create a new budget.`;
  const metadata = JSON.stringify({ id, version: budget.version });
  const price = (await readPriceList(deps.db)).on(todayOf(deps));
  await opened.show(editView(about, metadata, draftOf(budget), { canShowPeople: person.seesPeople, price }));
}

export const editForm = (deps: BudgetDeps): Form =>
  formHandler(EDIT_FORM, 'manager', (state, metadata) => {
    const about = metadataSchema.parse(JSON.parse(metadata));
    const { terms, errors } = readTerms(readBudgetForm(state));
    return formReading(errors, 'Saving it …', (by, opened) => save(deps, about, terms, by, opened));
  });

async function save(
  deps: BudgetDeps,
  about: z.infer<typeof metadataSchema>,
  terms: BudgetTerms,
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const editable = await findChangeable(deps, about.id, interaction.person);
  if (editable.kind === 'refused') return interaction.reply.show(await interaction.refusal(editable.why));
  const refusal = refusalToSet(interaction.person, terms);
  if (refusal) return interaction.reply.show(await interaction.refusal(refusal));
  const isForChannel = !isPersonAddress(editable.budget.channel);
  const smallTeamRefusal = await refusalOfSmallTeam(
    deps,
    { ...terms, subject: editable.budget.subject, isForChannel },
    interaction.person,
  );
  if (smallTeamRefusal !== undefined) return opened.show(sentenceView(EDIT_TITLE, markup`${smallTeamRefusal}`));
  const by = interaction.person.slackId;
  const now = deps.clock.now();
  const isSaved = await deps.db.transaction().execute(async (trx) => {
    if (!(await changeTerms(trx, about, terms, by, now))) return false;
    await audit(
      trx,
      { about: auditSubject(about.id), actor: by, action: 'changed it', detail: auditWords(terms) },
      now,
    );
    return true;
  });
  const budget = await findBudget(deps.db, about.id);
  if (!budget) return opened.show(sentenceView(EDIT_TITLE, await unknownBudget(deps, about.id)));
  if (!isSaved) {
    const who = budget.changedBy === null ? markup`Another manager` : mention(budget.changedBy);
    const sentence = markup`${who} changed the budget \`${about.id}\` while you had this form open, so nothing was saved. Open it again to see how it is now.`;
    return opened.show(sentenceView(EDIT_TITLE, sentence));
  }
  const first = markup`✅ *Saved.* Earlier warnings stay as they are; the next ones use the new settings.`;
  await opened.show(await confirmation(deps, { person: interaction.person, budget }, EDIT_TITLE, first));
  await interaction.refreshHome();
}
