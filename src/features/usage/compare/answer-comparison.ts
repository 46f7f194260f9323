import type { Part } from '../../../core/analytics/day-facts.ts';
import type { Names } from '../../../core/base/privacy/disclosure.ts';
import type { BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { didYouMean } from '../../../core/slack/commands/command-text.ts';
import { plainMessage } from '../../../core/slack/blocks/messages.ts';
import { paragraphMessage, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';
import { shownToReaders } from '../../../core/figures/groups/gate.ts';
import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import { audienceOf, type Audience } from '../../../core/slack/people/audience.ts';
import { allowGroupDetail } from '../../../core/figures/groups/group.ts';
import { amountsByName, modelCredits } from '../../../core/figures/measures/breakdown.ts';
import { createPeopleSpendFold } from '../../../core/figures/measures/people-spend.ts';
import { formatPeriod, lengthOf, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { settlePeriod, todayOf, withRoom } from '../../../core/analytics/period.ts';
import { decideQuestion, reportProgress, type QuestionDecision } from '../answer.ts';
import type { UsageRequest } from '../usage-command.ts';
import type { UsageDeps } from '../usage-deps.ts';
import { sourceOf } from '../../../core/figures/measures/figures.ts';
import { readPriceList } from '../../../core/figures/money/price-list.ts';
import { compareSides, type Comparison, type CreditsOfDay, type Side } from './comparison.ts';
import { wordsOfComparison, type ComparedSide, type ComparisonRequest } from './comparison-words.ts';
import { comparisonActions } from './comparison-actions.ts';
import { comparisonParagraphs } from './comparison-view.ts';

/** Answers `/usage october vs november`. */
export async function showComparison(
  deps: UsageDeps,
  request: ComparisonRequest,
  interaction: Interaction,
): Promise<void> {
  const readers = audienceOf(interaction.person);
  const answer = await answerComparison(deps, { request, readers }, interaction);
  if (answer.kind === 'refusal') return interaction.reply.show(answer.message);
  const { paragraphs, names, words } = answer;
  const buttons = comparisonActions({ request, words, reader: interaction.person, today: todayOf(deps) });
  await interaction.reply.show({ ...paragraphMessage(COMPARISON_TITLE, paragraphs, buttons), names });
}

export const COMPARISON_TITLE = 'Comparison';

type ComparisonAnswer =
  | { kind: 'refusal'; message: BlockMessage }
  | {
      kind: 'answer';
      paragraphs: readonly Paragraph[];
      names: Names;
      comparison: Comparison;
      /** The same comparison with the exact days. */
      words: string;
    };

interface ComparisonQuery {
  request: ComparisonRequest;
  readers: Audience;
  /** See `AnswerQuery`. */
  maxAgeMs?: number | undefined;
}

/** Each side has the rights and the small-group check of `/usage` with its words. */
export async function answerComparison(
  deps: UsageDeps,
  query: ComparisonQuery,
  interaction: Interaction,
): Promise<ComparisonAnswer> {
  const { person } = interaction;
  const { sides } = query.request;
  const [one, other] = [
    await decideQuestion(deps, requestOf(sides[0]), person),
    await decideQuestion(deps, requestOf(sides[1]), person),
  ];
  for (const decision of [one, other])
    if (decision.kind === 'refused') return { kind: 'refusal', message: await interaction.refusal(decision.why) };
  if (one.kind === 'refused' || other.kind === 'refused') throw new Error('A refused side has a message');
  const first = await readSide(deps, sides[0], one, interaction, query);
  const second = 'message' in first ? first : await readSide(deps, sides[1], other, interaction, query);
  if ('message' in first) return { kind: 'refusal', message: first.message };
  if ('message' in second) return { kind: 'refusal', message: second.message };
  for (const { part } of [first, second]) if (part.kind === 'unreadable') throw part.fault;
  const notes = [...new Set([...one.notes, ...other.notes, ...first.notes, ...second.notes])];
  const prices = await readPriceList(deps.db);
  const comparison = compareSides({ ...first, prices }, { ...second, prices });
  const sourceOfSide = ({ part, period }: Side) => sourceOf([part], { period, today: one.today });
  const paragraphs = comparisonParagraphs(comparison, notes, [sourceOfSide(first), sourceOfSide(second)]);
  const of = [...new Set([...first.names, ...second.names])];
  const names: Names = of.length === 0 ? 'nobody' : { what: 'usage', of };
  const words = wordsOfComparison([
    { ...sides[0], period: first.period },
    { ...sides[1], period: second.period },
  ]);
  return { kind: 'answer', paragraphs, names, comparison, words };
}

const requestOf = ({ period, subject }: ComparedSide): UsageRequest => ({
  view: 'credits',
  period,
  subject,
  isCsv: false,
  offset: 0,
  isMore: false,
});

type ReadSide = Side & { notes: readonly string[]; names: readonly string[] };

async function readSide(
  deps: UsageDeps,
  { period: requested, model }: ComparedSide,
  { period: chosen, subject, today, beginning }: Extract<QuestionDecision, { kind: 'allowed' }>,
  { person, reply }: Interaction,
  { readers, maxAgeMs }: ComparisonQuery,
): Promise<ReadSide | { message: BlockMessage }> {
  const age = maxAgeMs === undefined ? {} : { maxAgeMs };
  const activity = await deps.days.activity(withRoom(requested, chosen), age);
  const { period } = settlePeriod(requested, chosen, activity, today, beginning);
  const options = { ...reportProgress(reply, period), ...age };
  if (subject.kind === 'organization') {
    const credits = await deps.days.credits(period, options);
    const side = { period, isByDay: true, notes: [], names: [] };
    if (model === undefined)
      return { ...side, label: 'The organization', part: mapPart(credits, (row) => row.billable_tokens) };
    const models = credits.kind === 'read' ? [...amountsByName(credits.rows, modelCredits).keys()] : [];
    const name = models.find((one) => one.toLowerCase() === model.toLowerCase());
    if (name === undefined && credits.kind === 'read')
      return { message: plainMessage(unknownModel(model, models, periodsOf(credits.rows, period, today))) };
    const part = mapPart(credits, (row) => modelCredits(row).find(([one]) => one === name)?.[1] ?? 0);
    return { ...side, label: name ?? model, part };
  }
  const seesEach = readers.naming !== undefined && person.seesPeople;
  const shownTo = shownToReaders(readers);
  const verdict =
    subject.kind === 'team' && !seesEach
      ? await allowGroupDetail(deps, subject, { period, comparedWith: undefined }, { shownTo })
      : undefined;
  if (verdict?.kind === 'refused') return { message: plainMessage(verdict.sentence) };
  if (verdict?.kind === 'unreadable') throw verdict.fault;
  if (verdict?.kind === 'unpublished')
    return { message: plainMessage(`The figures of ${subject.label} aren’t published yet.`) };
  const emails = new Set(subject.emails);
  const fold = createPeopleSpendFold(period, undefined, (key) => emails.has(key));
  const days = await deps.days.peopleCredits(period, (row) => fold.add(row), options);
  const part = mapPart(days.kind === 'read' ? { ...days, rows: days.rows.map((date) => ({ date })) } : days, (row) =>
    fold.creditsOn(row.date),
  );
  const isNaming = subject.kind === 'person' || seesEach;
  return {
    label: subject.label,
    period,
    part,
    isByDay: verdict?.detail?.isByDay ?? true,
    notes: [],
    names: isNaming ? subject.emails : [],
  };
}

/** The days in words, and whether all of them, some or none are published. */
function periodsOf(rows: readonly { date: Day }[], period: Period, today: Day) {
  const published = rows.filter(({ date }) => date >= period.first && date <= period.last).length;
  const state = published === 0 ? 'none' : published < lengthOf(period) ? 'some' : 'all';
  return { words: formatPeriod(period, today), state } as const;
}

/** A model that is missing from unpublished days may have been used on them. */
function unknownModel(
  model: string,
  models: readonly string[],
  { words, state }: ReturnType<typeof periodsOf>,
): string {
  if (state === 'none') return `The figures of ${words} aren’t published yet.`;
  const meant = didYouMean(model, models);
  const sentence = `No model “${model}” was used on ${state === 'some' ? `the published days of ${words}` : words}.`;
  return meant === undefined
    ? `${sentence} Type /usage models to see those that were.`
    : `${sentence} Did you mean ${meant}?`;
}

const mapPart = <Row extends { date: string }>(part: Part<Row>, credits: (row: Row) => number): Part<CreditsOfDay> =>
  part.kind === 'read' ? { ...part, rows: part.rows.map((row) => ({ date: row.date, credits: credits(row) })) } : part;
