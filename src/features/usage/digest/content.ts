import type { Ranking, ReadSection } from '../../../core/feature.ts';
import type { Admission } from '../../../core/figures/groups/admission.ts';
import { note, contentsOf, type Paragraph } from '../../../core/slack/blocks/paragraphs.ts';
import type { FaultyPart, Measurement, Source } from '../../../core/figures/measures/figures.ts';
import { type View, viewMessage } from '../views/paragraphs.ts';

/** A digest reports notes and faults once for all its sections. */
export const NO_NOTES = { notes: [], faults: [] };

/** A section whose unreadable parts are not reported yet. */
export type SectionContent = ReadSection & { faults: readonly FaultyPart[] };

export interface SectionParts {
  point?: string | undefined;
  paragraphs: readonly Paragraph[];
  /** Details for the thread; for the organization, the whole view by default. */
  detail?: View;
  figures: Readonly<Record<string, Measurement<{ value: number }>>>;
  /** Names in the order in which they are shown. */
  ranking?: Ranking;
  isQuiet?: boolean;
  needsAttention?: boolean;
}

/** Assembles a section; it is published if all its days are. @param admission permits its amounts for the readers */
export function content(
  { source, faults }: { source: Source; faults: readonly FaultyPart[] },
  { paragraphs, point, detail, figures, ranking, isQuiet, needsAttention }: SectionParts,
  { amount, sums }: Admission,
): SectionContent {
  const isPublished = source.days.every(({ state }) => state === 'fresh' || state === 'settled');
  return {
    kind: isPublished ? 'ready' : 'unpublished',
    ...(point === undefined ? {} : { point }),
    ...contentsOf(paragraphs),
    ...(detail ? { detail: viewMessage(detail) } : {}),
    figures: Object.fromEntries(
      Object.entries(figures).flatMap(([name, figure]) =>
        figure.kind === 'known' ? [[name, amount(figure.value.value)]] : [],
      ),
    ),
    ...(sums.length > 0 ? { sums } : {}),
    ...(ranking ? { ranking } : {}),
    isQuiet: isQuiet ?? true,
    ...(needsAttention ? { needsAttention } : {}),
    faults,
  };
}

export function organizationOnlySection(): SectionContent {
  const rendered = contentsOf([note('The platform publishes this only for the whole organization.')]);
  return { kind: 'ready', ...rendered, figures: {}, isQuiet: true, faults: [] };
}
