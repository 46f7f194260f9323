import { createCache } from '../../core/base/cache.ts';
import { joinMarkup, markup } from '../../core/base/text/markup.ts';
import type { DigestSection, DigestQuery, ReadSection, SectionReading } from '../../core/feature.ts';
import { context } from '../../core/slack/blocks/blocks.ts';
import { reportError } from '../../core/slack/blocks/faults.ts';
import {
  PLATFORM_BEGINNING,
  notBeforeFirstDay,
  beginningSentence,
  daysToRead,
  todayOf,
} from '../../core/analytics/period.ts';
import type { Audience } from '../../core/slack/people/audience.ts';
import { allowEverybodysAmounts, allowForNaming } from '../../core/figures/groups/admission.ts';
import { note, contentsOf } from '../../core/slack/blocks/paragraphs.ts';
import type { Logger } from '../../core/base/log.ts';
import { DAYS_IN_A_WEEK, lengthOf, type Period } from '../../core/base/time/calendar.ts';
import { allowGroupDetail, type GroupVerdict } from '../../core/figures/groups/group.ts';
import { CATALOGUE, type UsageView } from './catalogue.ts';
import { readGroupCourse } from './digest/group-course.ts';
import type { UsageDeps } from './usage-deps.ts';

/** Digests of one morning about the same days and people share one reading. */
const READING_LIFE_MS = 60_000;
/** A waiting digest asks again every ten minutes: then the earlier answer must be too old. */
const MAX_AGE_MS = 5 * 60_000;

export function digestSections(deps: UsageDeps): DigestSection[] {
  return Object.entries(CATALOGUE).flatMap(([id, { section, hasHistory }]) => {
    if (!section) return [];
    const { title, description, isDefault = false, namesPeople = false } = section;
    const read = createSectionReader(deps, { ...section, hasHistory });
    return [{ id, title, description, isDefault, coversAudienceOnly: true, namesPeople, read }];
  });
}

type Section = NonNullable<UsageView['section']> & Pick<UsageView, 'hasHistory'>;

/** Failed readings are not cached, so that a recovered platform is read at once. */
const isReadable = ({ kind }: SectionReading) => kind !== 'unreadable';

function createSectionReader(
  deps: UsageDeps,
  section: Section,
): (query: DigestQuery, readers: Audience) => Promise<SectionReading> {
  const read = ({ query, readers }: { query: DigestQuery; readers: Audience }) =>
    readSection(deps, section, query, readers);
  const readings = createCache(deps.clock, READING_LIFE_MS, read, {
    isKept: isReadable,
    // What a preview or a forecast reads is not recorded as shown, so no message may show it.
    idOf: ({ query: { period, comparedWith, people, about, rightToName: naming, shownTo } }) =>
      JSON.stringify([period, comparedWith, people, about, naming !== undefined, shownTo, deps.checks.count()]),
  });
  return (query, readers) => readings.get({ query, readers });
}

function withheldSection(
  verdict: Exclude<GroupVerdict, { kind: 'shown' }>,
  title: string,
  period: Period,
  log: Logger,
): SectionReading {
  if (verdict.kind === 'unreadable')
    return { kind: 'unreadable', ...reportError(verdict.fault, log, { section: title, digest: period }) };
  if (verdict.kind === 'unpublished') {
    const words = 'The platform hasn’t published all of these days.';
    return { kind: 'unpublished', ...contentsOf([note(words)]), figures: {}, isQuiet: false };
  }
  const { why } = verdict;
  return { kind: 'ready', ...contentsOf([note(why)]), figures: {}, isQuiet: false, withheld: why };
}

async function readSection(
  deps: UsageDeps,
  section: Section,
  digestQuery: DigestQuery,
  readers: Audience,
): Promise<SectionReading> {
  const { people, log } = digestQuery;
  const isAboutPeople = people !== undefined || section.namesPeople;
  const beginning = isAboutPeople ? deps.days.beginningOfPeople() : PLATFORM_BEGINNING;
  const period = { first: notBeforeFirstDay(digestQuery.period.first, beginning), last: digestQuery.period.last };
  const comparedWith =
    digestQuery.comparedWith && digestQuery.comparedWith.first >= beginning.first
      ? digestQuery.comparedWith
      : undefined;
  const scope = { period, comparedWith, today: todayOf(deps) };
  const range = daysToRead(scope, section.hasHistory);
  const group =
    people &&
    ({ kind: digestQuery.isOnePerson ? 'person' : 'team', label: digestQuery.about, emails: people } as const);
  const isGated = group && digestQuery.rightToName === undefined && section.supportsGroups;
  const verdict = isGated
    ? await allowGroupDetail(deps, group, scope, {
        requiresAllDays: true,
        shownTo: digestQuery.shownTo,
      })
    : undefined;
  if (verdict && verdict.kind !== 'shown') return withheldSection(verdict, section.title, period, log);
  const detail = verdict?.detail;
  const all = digestQuery.rightToName ? allowForNaming(digestQuery.rightToName, []) : allowEverybodysAmounts();
  const total = verdict?.admission ?? all;
  const hasCourse = group && section.supportsGroups && section.hasHistory && lengthOf(period) >= DAYS_IN_A_WEEK;
  const gate = detail && { shownTo: digestQuery.shownTo };
  const past = hasCourse
    ? await readGroupCourse(deps, {
        emails: group.emails,
        scope,
        beginning: beginning.first,
        maxAgeMs: MAX_AGE_MS,
        admission: total,
        gate,
      })
    : undefined;
  if (past?.kind === 'unreadable') return withheldSection(past, section.title, period, log);
  const about = { group, course: past?.course, admission: past?.admission ?? total };
  const query = { scope, range, readers, isExplained: true, options: { maxAgeMs: MAX_AGE_MS }, offset: 0, detail };
  const { faults, ...content } = await section.read(deps, query, about);
  const [fault] = faults;
  if (!fault)
    return period.first === digestQuery.period.first ? content : withNote(content, beginningSentence(beginning));
  const details = { section: section.title, part: fault.part, digest: period };
  return { kind: 'unreadable', ...reportError(fault.fault, log, details) };
}

/** A digest names its own days: a section with fewer days says so. */
function withNote(content: ReadSection, sentence: string): ReadSection {
  const noteText = markup`${sentence}.`;
  return {
    ...content,
    blocks: [...content.blocks, context(noteText)],
    text: joinMarkup([content.text, noteText], '\n'),
  };
}
