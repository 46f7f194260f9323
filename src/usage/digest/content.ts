import type { DigestQuery, ReadSection } from '../../feature.ts';
import { plusDays } from '../../calendar.ts';
import type { DaysOptions } from '../../analytics/days.ts';
import { FIRST_ANALYTICS_DAY } from '../../platform/endpoints/analytics-range.ts';
import type { Period } from '../../calendar.ts';
import type { UsageDeps } from '../deps.ts';
import { todayOf } from '../readers/period.ts';
import type { FaultyPart, Known, ReportScope } from '../measures/figures.ts';
import { note, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import { markupLines } from '../../markup.ts';
import type { Source } from '../measures/source.ts';
import { viewMessage, type View } from '../views/view.ts';

/** A section before what could not be read of it has been told. */
export type SectionContent = ReadSection & { faults: readonly FaultyPart[] };

/** A digest that asks again while it waits does so every ten minutes: then what it was told before is too old. */
export const DIGEST_OPTIONS: DaysOptions = { maxAgeMs: 5 * 60_000 };

/** An unusual day is told by at least four of the same weekday before it. */
const USUAL_DAYS = 35;

export function reportScope(deps: UsageDeps, { period, comparedWith }: DigestQuery): ReportScope {
  return { period, comparedWith, today: todayOf(deps) };
}

/** The days that a section is made of: both periods, and with `history` what the usual and the forecast rest on. Pure. */
export function rangeOf({ period, comparedWith, today }: ReportScope, withHistory = false): Period {
  const firsts = [comparedWith?.first ?? period.first, period.first];
  if (withHistory) firsts.push(plusDays(period.first, -USUAL_DAYS), `${today.slice(0, 7)}-01`);
  const first = firsts.toSorted()[0] ?? period.first;
  return { first: first < FIRST_ANALYTICS_DAY ? FIRST_ANALYTICS_DAY : first, last: period.last };
}

interface ContentQuery {
  source: Source;
  faults: readonly FaultyPart[];
  paragraphs: readonly Paragraph[];
  point?: string;
  detail?: View;
  figures: Readonly<Record<string, Known<{ value: number }>>>;
  isQuiet?: boolean;
}

/** Puts a section together. A period is published when each of its days is. */
export function content({ source, faults, paragraphs, point, detail, figures, isQuiet }: ContentQuery): SectionContent {
  const isPublished = source.days.every(({ state }) => state === 'fresh' || state === 'settled');
  return {
    kind: isPublished ? 'ready' : 'unpublished',
    ...(point === undefined ? {} : { point }),
    blocks: paragraphs.flatMap(({ blocks }) => blocks),
    text: markupLines(paragraphs.flatMap(({ lines }) => lines)),
    ...(detail ? { detail: viewMessage(detail) } : {}),
    figures: Object.fromEntries(
      Object.entries(figures).flatMap(([name, known]) => (known.kind === 'known' ? [[name, known.value.value]] : [])),
    ),
    isQuiet: isQuiet ?? true,
    faults,
  };
}

/** What a section says of a team that the platform tells of the organization alone. */
export function notByPerson(): SectionContent {
  const { blocks, lines } = note('The platform tells this for the whole organization only.');
  return { kind: 'ready', blocks: [...blocks], text: markupLines(lines), figures: {}, isQuiet: true, faults: [] };
}
