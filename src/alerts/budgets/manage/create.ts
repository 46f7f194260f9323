import { takeShortId } from '../../../base/text/short-id.ts';
import { plainLines, markup, type Markup } from '../../../base/text/markup.ts';
import { plusDays } from '../../../base/time/calendar.ts';
import { notBeforeFirstDay } from '../../../analytics/existing-period.ts';
import { section } from '../../../slack/blocks/blocks.ts';
import { modal, type ModalView, type OpenModal } from '../../../slack/blocks/views.ts';
import { formReading } from '../../../slack/forms.ts';
import { joinDestination, finishButton } from '../../../slack/destination-form.ts';
import type { Click, Form, Interaction } from '../../../slack/interactions.ts';
import { audit } from '../../../store/audit.ts';
import { amountsByName } from '../../../figures/measures/breakdown.ts';
import { todayOf } from '../../../figures/period.ts';
import { auditSubject, type Budget } from '../core/budget.ts';
import { FINISH_ACTION } from '../core/budget-buttons.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import { namesInBudgets } from '../evaluate/names.ts';
import { smallTeamWords } from '../../../figures/groups/small-teams.ts';
import { refusalToSet } from '../core/rights.ts';
import { refusalOfSmallTeam } from '../evaluate/small-teams.ts';
import type { Person } from '../../../slack/people/people.ts';
import { findBudget, insertBudget, type StoredBudget } from '../core/budget-store.ts';
import { forecastWords, usedWords } from '../core/words.ts';
import { evaluateAndRead } from '../evaluate/budget-status.ts';
import {
  firstDraft,
  NEW_FORM,
  NEW_TITLE,
  newView,
  budgetForm,
  type FormFacts,
  type BudgetFormValues,
} from './budget-form.ts';
import { readScope, readTerms } from './read-form.ts';
import { auditWords, alreadyReachedWords, termsLines } from './list-budgets.ts';

const ID_LENGTH = 4;
const MODEL_DAYS = 14;

async function readFormFacts(deps: BudgetDeps, { seesPeople }: Pick<Person, 'seesPeople'>): Promise<FormFacts> {
  const today = todayOf(deps);
  const recent = { first: notBeforeFirstDay(plusDays(today, -MODEL_DAYS)), last: plusDays(today, -1) };
  const [teams, credits] = await Promise.all([
    deps.people.teams(),
    deps.days.credits(recent, { maxAgeMs: 60 * 60_000 }),
  ]);
  const rows = credits.kind === 'read' ? credits.rows : [];
  const amounts = amountsByName(rows, (row) => row.by_model.map((one) => [one.model_id, one.billable_tokens]));
  const models = [...amounts].toSorted(([, a], [, b]) => b - a).map(([model]) => model);
  return { teams, models, canShowPeople: seesPeople };
}

export async function showNewForm(deps: BudgetDeps, interaction: Interaction, opened: OpenModal): Promise<void> {
  await opened.show(newView(await readFormFacts(deps, interaction.person), firstDraft(interaction.channel)));
}

/** *Continue*: opens the form with the submitted values again, after the bot was invited. */
export async function showKeptForm(deps: BudgetDeps, click: Click, opened: OpenModal): Promise<void> {
  await opened.show(newView(await readFormFacts(deps, click.person), budgetForm.readDraft(click.value)));
}

/** Shows the form again after a change of “Whose credits?”, with a warning if the chosen group is small. */
export async function showChosenSubject(
  deps: BudgetDeps,
  { person, form }: Pick<Click, 'person' | 'form'>,
  opened: OpenModal,
): Promise<void> {
  const values = budgetForm.read(form.state);
  const facts = await readFormFacts(deps, person);
  const team = facts.teams.find(({ id }) => id === values.whose);
  const aboutTeam = team && (await smallTeamWords(deps, { label: `@${team.handle}`, emails: team.emails }, person));
  await opened.show(newView({ ...facts, aboutTeam }, values));
}

export function newForm(deps: BudgetDeps): Form {
  const keptDays = deps.config.retentionDays.people;
  return {
    callbackId: NEW_FORM,
    role: 'manager',
    read: (state) => {
      const values = budgetForm.read(state);
      // Slack is asked for the user groups later: until then any id is accepted.
      const errors = {
        ...readScope(values, [{ id: values.whose, handle: '', members: [], emails: [] }], keptDays).errors,
        ...readTerms(values).errors,
      };
      return formReading(errors, {
        working: 'Setting it up …',
        run: (interaction, opened) => setUp(deps, values, interaction, opened),
      });
    },
  };
}

async function setUp(
  deps: BudgetDeps,
  values: BudgetFormValues,
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const { person } = interaction;
  const again = async (problem: string | Markup) =>
    opened.show(newView(await readFormFacts(deps, person), values, problem));
  const { scope } = readScope(values, await deps.people.teams(), deps.config.retentionDays.people);
  if (!scope) return again('This team no longer exists in Slack. Choose another.');
  const { terms } = readTerms(values);
  const refusal = refusalToSet(person, { ...terms, ...scope });
  if (refusal) return again((await interaction.refusal(refusal)).text);
  const empty = await refusalOfSmallTeam(
    deps,
    { ...terms, ...scope, isForChannel: values.where === 'channel' },
    person,
  );
  if (empty !== undefined) return again(empty);
  const finish = () => finishButton(FINISH_ACTION, values);
  const entry = await joinDestination(deps.channels, values, interaction, finish);
  if ('problem' in entry) return again(entry.problem);
  const budget = await store(deps, {
    kind: 'budget',
    followsLimit: false,
    ...terms,
    ...scope,
    channel: entry.channel,
    owner: person.slackId,
  });
  await opened.show(
    await confirmation(deps, { person, budget }, NEW_TITLE, markup`✅ *Done.* Its id is \`${budget.id}\`.`),
  );
  await interaction.refreshHome();
}

async function store({ db, clock, random }: BudgetDeps, budget: Omit<Budget, 'id'>): Promise<StoredBudget> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    return takeShortId(random, ID_LENGTH, async (id) => {
      if (!(await insertBudget(trx, { ...budget, id }, now))) return undefined;
      const entry = { about: auditSubject(id), actor: budget.owner ?? '', action: 'set it up' };
      await audit(trx, { ...entry, detail: auditWords(budget) }, now);
      return findBudget(trx, id);
    });
  });
}

export async function confirmation(
  deps: BudgetDeps,
  { person, budget }: { person: Person; budget: StoredBudget },
  title: string,
  first: Markup,
): Promise<ModalView> {
  const figures = await evaluateAndRead(deps, budget, person);
  const lines = [
    first,
    ...termsLines(budget),
    ...plainLines(
      figures && usedWords(figures),
      figures && forecastWords(figures),
      figures && alreadyReachedWords(budget, figures),
    ),
    markup`Each warning comes once, within minutes of the day’s figures.`,
  ];
  return { ...modal({ title, blocks: [section(lines)] }), names: await namesInBudgets(deps, [budget]) };
}
