import { inOwnTurn } from '../../core/base/time/turns.ts';
import type { OrganizationFacts } from '../../core/analytics/day-facts.ts';
import type { Logger } from '../../core/base/log.ts';
import { reportError } from '../../core/slack/blocks/faults.ts';
import type { UsageDeps } from './usage-deps.ts';
import {
  content,
  NO_NOTES,
  organizationOnlySection,
  type SectionContent,
  type SectionParts,
} from './digest/content.ts';
import { organizationCsv, throwIfUnreadable, type CsvDefinition } from './export/organization-csv.ts';
import { readFacts, type Facts, type FactsQuery, type Series } from './usage-facts.ts';
import type { FaultyPart, ReportScope } from '../../core/figures/measures/figures.ts';
import { readPriceList } from '../../core/figures/money/price-store.ts';
import type { Admission } from '../../core/figures/groups/admission.ts';
import type { GroupDetail } from '../../core/figures/groups/group.ts';
import { redactReport } from './reports/redact-report.ts';
import { buildGroupReport, lacksFigures, type GroupReport, type GroupSubject } from './reports/group-report.ts';
import { explainGroup } from './explain/people-parts.ts';
import type { ExplainedPart } from '../../core/figures/explanation/explanation.ts';
import { groupView } from './views/group-view.ts';
import type { Source } from '../../core/figures/measures/source.ts';
import type { Paragraph } from '../../core/slack/blocks/paragraphs.ts';
import type { View, ViewNotes } from './views/view-parts.ts';

export interface ViewQuery extends FactsQuery {
  offset: number;
  /** How much of a group may be shown; undefined: everything. */
  detail?: GroupDetail | undefined;
}

interface SectionQuery {
  group: GroupSubject | undefined;
  admission: Admission;
}

interface Report {
  source: Source;
  faults: readonly FaultyPart[];
}

interface SectionOptions {
  title: string;
  /** One line for the person who chooses sections. */
  description: string;
  isDefault?: true;
  namesPeople?: true;
}

/** A view as data: the facts that it needs, and how they become a report and an answer. */
interface ViewDefinition<Need extends Series, More extends Series, Row extends keyof OrganizationFacts, Built> {
  title: string;
  needs: readonly Need[];
  /** Whether it includes unusual days and a forecast. */
  hasHistory?: boolean;
  build(facts: Pick<Facts, Need>, scope: ReportScope, query: ViewQuery): Built | Promise<Built>;
  show(report: Built, notes: ViewNotes, query: ViewQuery): View;
  /** Explains each figure that it shows, the most important one first. */
  explain(report: Built, query: ViewQuery): readonly ExplainedPart[];
  section?: SectionOptions & {
    also?: readonly More[];
    parts(report: Built, facts: Pick<Facts, Need | More>, query: ViewQuery): SectionParts;
    /** The parts for a team or a person; undefined if the platform has these figures only for the organization. */
    groupParts?(report: GroupReport): SectionParts;
  };
  /** undefined if the file has a row for each person and day. */
  csv?: CsvDefinition<Row>;
}

/** A view with the explanation of its figures for the same readers. */
export interface ExplainedView extends View {
  explain: () => readonly ExplainedPart[];
}

/** A view that callers can use without knowing its facts. */
export interface UsageView {
  title: string;
  hasHistory: boolean;
  answer(deps: UsageDeps, query: ViewQuery, notes: readonly string[], log: Logger): Promise<ExplainedView>;
  section?:
    | (SectionOptions & {
        supportsGroups: boolean;
        read(deps: UsageDeps, query: ViewQuery, about: SectionQuery): Promise<SectionContent>;
      })
    | undefined;
  csv?:
    | { name: string; note?: string | undefined; read(deps: UsageDeps, query: FactsQuery): Promise<string> }
    | undefined;
}

export function defineView<
  Need extends Series,
  Built extends Report,
  More extends Series = never,
  Row extends keyof OrganizationFacts = never,
>(definition: ViewDefinition<Need, More, Row, Built>): UsageView {
  const { title, needs, hasHistory = false, section, csv } = definition;
  return {
    title,
    hasHistory,
    answer: async (deps, query, notes, log) => {
      const report = await definition.build(await readFacts(deps, needs, query), query.scope, query);
      // Building and showing are both slow for thousands of people.
      const view = await inOwnTurn(() =>
        definition.show(report, { notes, faults: reportFaults(report.faults, needs, log) }, query),
      );
      return { ...view, explain: () => definition.explain(report, query) };
    },
    section: section && {
      ...section,
      supportsGroups: section.groupParts !== undefined,
      read: async (deps, query, { group, admission }) => {
        if (group && !section.groupParts) return organizationOnlySection();
        if (group && section.groupParts) {
          const report = await readGroup(deps, query, group);
          return { ...content(report, section.groupParts(report), admission), explanation: explainGroup(report) };
        }
        const facts = await readFacts(deps, [...needs, ...(section.also ?? [])], query);
        const report = await definition.build(facts, query.scope, query);
        const parts = section.parts(report, facts, query);
        const detail = parts.detail ?? definition.show(report, NO_NOTES, query);
        const explanation = definition.explain(report, query);
        return { ...content(report, { ...parts, detail }, admission), explanation };
      },
    },
    csv: csv && {
      name: csv.name,
      note: csv.note,
      read: async (deps, query) => {
        const facts = await readFacts(deps, csv.needs, query);
        for (const need of csv.needs) throwIfUnreadable(facts[need]);
        return organizationCsv(facts, csv, query.scope.period, await readPriceList(deps.db));
      },
    },
  };
}

const GROUP_NEEDS = ['credits', 'spend', 'totals', 'prices'] as const;

export async function answerGroup(
  deps: UsageDeps,
  query: ViewQuery & { extraParagraphs: readonly Paragraph[] },
  group: GroupSubject,
  notes: readonly string[],
  log: Logger,
): Promise<ExplainedView> {
  const report = await readGroup(deps, query, group);
  const view = groupView(
    report,
    { notes, faults: reportFaults(report.faults, GROUP_NEEDS, log) },
    query.extraParagraphs,
  );
  return { ...view, explain: () => explainGroup(report) };
}

async function readGroup(deps: UsageDeps, query: ViewQuery, group: GroupSubject): Promise<GroupReport> {
  const { emails } = group;
  const facts = await readFacts(deps, [...GROUP_NEEDS, 'activity'], { ...query, emails });
  const { credits, spend, totals, prices, activity } = facts;
  const { known } = lacksFigures({ spend, totals }, emails)
    ? await readFacts(deps, ['known'], { ...query, emails, activity })
    : { known: undefined };
  const scope = { ...query.scope, ...group, naming: query.readers.naming };
  const report = buildGroupReport({ organization: credits, spend, totals, known, prices }, scope);
  return query.detail ? redactReport(report, query.detail) : report;
}

const OPTIONAL_FACTS: ReadonlySet<Series> = new Set([
  'spend',
  'namedSpend',
  'ownSpend',
  'known',
  'teams',
  'prices',
  'timeline',
]);

/** Returns the failed parts, for the answer. Throws the first fault if all parts failed. */
function reportFaults(faults: readonly FaultyPart[], needs: readonly Series[], log: Logger): ViewNotes['faults'] {
  const [first] = faults;
  const sourceCount = needs.filter((need) => !OPTIONAL_FACTS.has(need)).length;
  if (first && new Set(faults.map(({ part }) => part)).size >= sourceCount) throw first.fault;
  return faults.map(({ part, fault }) => ({ part, ...reportError(fault, log, { part }) }));
}
