import { readOfferedTeams } from '../../../../core/figures/groups/chosen-teams.ts';
import { takeShortId } from '../../../../core/base/text/short-id.ts';
import { plainLines, markup, type Markup } from '../../../../core/base/text/markup.ts';
import { calendarPart, plusDays } from '../../../../core/base/time/calendar.ts';
import type { CreditsRow } from '../../../../core/platform/endpoints/analytics-rows.ts';
import { sumOf } from '../../../../core/base/statistics.ts';
import { notBeforeFirstDay, todayOf } from '../../../../core/analytics/period.ts';
import { section } from '../../../../core/slack/blocks/blocks.ts';
import { modal, type ModalView, type OpenModal } from '../../../../core/slack/blocks/views.ts';
import { formHandler, formReading } from '../../../../core/slack/interactions/forms.ts';
import { showsMore } from '../../../../core/slack/interactions/form-fields.ts';
import { joinDestination, finishButton } from '../../../../core/slack/interactions/destination-form.ts';
import type { Click, Form, Interaction } from '../../../../core/slack/interactions/interactions.ts';
import { audit } from '../../../../core/store/audit.ts';
import { amountsByName } from '../../../../core/figures/measures/breakdown.ts';
import { auditSubject, type Budget } from '../core/budget.ts';
import { FINISH_ACTION } from '../core/budget-buttons.ts';
import type { BudgetDeps } from '../core/evaluation-deps.ts';
import { namesInBudgets, refusalOfSmallTeam } from '../evaluate/members.ts';
import { smallTeamWords } from '../../../../core/figures/groups/small-teams.ts';
import { refusalToSet } from '../core/rights.ts';
import type { Person } from '../../../../core/slack/people/people.ts';
import { findBudget, insertBudget, type StoredBudget } from '../core/budget-store.ts';
import { forecastWords, usedWords } from '../core/words.ts';
import { evaluateAndRead, readBudgetStatuses } from '../evaluate/budget-status.ts';
import {
  firstDraft,
  NEW_FORM,
  NEW_TITLE,
  newView,
  budgetForm,
  readBudgetForm,
  type FormFacts,
  type BudgetFormValues,
} from './budget-form.ts';
import { readScope, readTerms } from './read-form.ts';
import { auditWords, alreadyReachedWords, termsLines } from './budget-list.ts';
import { readPriceList } from '../../../../core/figures/money/price-list.ts';

const ID_LENGTH = 4;
const MODEL_DAYS = 14;

async function readFormFacts(
  deps: BudgetDeps,
  { seesPeople }: Pick<Person, 'seesPeople'>,
  subject: string,
): Promise<FormFacts> {
  const today = todayOf(deps);
  const lastMonth = calendarPart(today, 'month', -1);
  const recent = { first: notBeforeFirstDay(lastMonth.first), last: plusDays(today, -1) };
  const [teams, prices, credits] = await Promise.all([
    readOfferedTeams(deps),
    readPriceList(deps.db),
    deps.days.credits(recent, { maxAgeMs: 60 * 60_000 }),
  ]);
  const rows = credits.kind === 'read' ? credits.rows : [];
  const models = [...amountsByName(rows.slice(-MODEL_DAYS), creditsByModel)].toSorted(([, a], [, b]) => b - a);
  const isWholeMonth = recent.first === lastMonth.first && rows.some(({ date }) => date >= lastMonth.last);
  const ofLastMonth = rows.filter(({ date }) => isWholeMonth && date <= lastMonth.last);
  return {
    teams,
    models: models.map(([model]) => model),
    canShowPeople: seesPeople,
    lastMonth: isWholeMonth ? creditsOf(ofLastMonth, subject) : undefined,
    price: prices.on(today),
  };
}

const creditsByModel = ({ by_model }: CreditsRow) =>
  by_model.map((one) => [one.model_id, one.billable_tokens] as const);

/** The credits of the organization or of a model. undefined for groups, whose figures need the small-group check first. */
function creditsOf(rows: readonly CreditsRow[], subject: string): number | undefined {
  if (subject === 'organization') return sumOf(rows, (row) => row.billable_tokens);
  if (!subject.startsWith('model:')) return undefined;
  return amountsByName(rows, creditsByModel).get(subject.slice('model:'.length)) ?? 0;
}

export async function showNewForm(deps: BudgetDeps, interaction: Interaction, opened: OpenModal): Promise<void> {
  const draft = firstDraft(interaction.channel);
  await opened.show(newView(await readFormFacts(deps, interaction.person, draft.whose), draft));
}

/** *Finish setting up*: opens the form with the submitted values again, after the bot was invited. */
export async function showKeptForm(deps: BudgetDeps, click: Click, opened: OpenModal): Promise<void> {
  const draft = budgetForm.readDraft(click.value);
  await opened.show(
    newView({ ...(await readFormFacts(deps, click.person, draft.whose)), showsAllFields: true }, draft),
  );
}

/** Shows the form again with the fields for the current choice, and a warning if the chosen group is small. */
export async function showChosenFields(deps: BudgetDeps, click: Click, opened: OpenModal): Promise<void> {
  const { person, form } = click;
  const values = readBudgetForm(form.state);
  const facts = await readFormFacts(deps, person, values.whose);
  const team = facts.teams.find(({ id }) => id === values.whose);
  const aboutTeam = team && (await smallTeamWords(deps, { label: `@${team.handle}`, emails: team.emails }, person));
  await opened.show(newView({ ...facts, aboutTeam, showsAllFields: showsMore(click, 'price') }, values));
}

export function newForm(deps: BudgetDeps): Form {
  const keptDays = deps.config.retentionDays.people;
  return formHandler(NEW_FORM, 'manager', (state, metadata) => {
    const values = readBudgetForm(state);
    const submission = { values, showsAllFields: state.has('price'), isConfirmed: metadata === termsKey(values) };
    // Any id of a group is accepted here: `setUp` asks Slack for the groups.
    const errors = {
      ...readScope(values, [{ id: values.whose, handle: '', members: [], emails: [] }], keptDays).errors,
      ...readTerms(values).errors,
    };
    return formReading(errors, 'Setting it up …', (by, opened) => setUp(deps, submission, by, opened));
  });
}

interface Submission {
  values: BudgetFormValues;
  showsAllFields: boolean;
  /** Whether the user submitted the same terms again after the warning that the credits are used up. */
  isConfirmed: boolean;
}

const termsKey = ({ credits, whose, people, period, own }: BudgetFormValues) =>
  [credits, whose, ...people, period, own].join(' ');

async function setUp(
  deps: BudgetDeps,
  { values, showsAllFields, isConfirmed }: Submission,
  interaction: Interaction,
  opened: OpenModal,
): Promise<void> {
  const { person } = interaction;
  const again = async (problem: string | Markup, metadata?: string) => {
    const facts = { ...(await readFormFacts(deps, person, values.whose)), showsAllFields };
    await opened.show(newView(facts, values, problem, metadata));
  };
  const { scope } = readScope(values, await deps.people.teams(), deps.config.retentionDays.people);
  if (!scope) return again('This team no longer exists in Slack. Choose another.');
  const { terms } = readTerms(values);
  const refusal = refusalToSet(person, { ...terms, ...scope });
  if (refusal) return again((await interaction.refusal(refusal)).text);
  const smallTeamRefusal = await refusalOfSmallTeam(
    deps,
    { ...terms, ...scope, isForChannel: values.where === 'channel' },
    person,
  );
  if (smallTeamRefusal !== undefined) return again(smallTeamRefusal);
  const budget: Omit<Budget, 'id' | 'channel'> = {
    kind: 'budget',
    ...terms,
    ...scope,
    owner: person.slackId,
  };
  const used = isConfirmed ? undefined : await alreadyUsedWords(deps, budget, person);
  if (used !== undefined) return again(used, termsKey(values));
  const finish = () => finishButton(FINISH_ACTION, values);
  const destination = await joinDestination(deps.channels, values, interaction, finish);
  if ('problem' in destination) return again(destination.problem);
  const stored = await store(deps, { ...budget, channel: destination.channel });
  await opened.show(
    await confirmation(deps, { person, budget: stored }, NEW_TITLE, markup`✅ *Done.* Its id is \`${stored.id}\`.`),
  );
  await interaction.refreshHome();
}

/** Returns a warning if the credits are used up already and the user may see that. Stores nothing. */
async function alreadyUsedWords(
  deps: BudgetDeps,
  budget: Omit<Budget, 'id' | 'channel'>,
  person: Person,
): Promise<string | undefined> {
  const unstored: StoredBudget = {
    ...budget,
    id: '',
    channel: person.slackId,
    state: 'active',
    setUpOn: todayOf(deps),
    isBaselineTaken: true,
    version: 0,
    changedAt: '',
    changedBy: null,
  };
  const [status] = await readBudgetStatuses(deps, [unstored], person);
  if (status?.kind !== 'known' || status.figures.spent < budget.credits) return undefined;
  return `${usedWords(status.figures)} Press Create again to set it up anyway, or type a larger amount.`;
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
