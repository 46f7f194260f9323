import type { Ranking, ReadSection } from '../../feature.ts';
import type { Admission } from '../../figures/groups/admission.ts';
import { note, saidBy, type Paragraph } from '../../slack/blocks/paragraphs.ts';
import type { FaultyPart, Known } from '../../figures/measures/figures.ts';
import type { Source } from '../../figures/measures/source.ts';
import { viewMessage, type View } from '../views/view.ts';

/** What a digest's own messages say under their figures: the digest says it of all sections at once. */
export const NO_NOTES = { notes: [], faults: [] };

/** A section before what could not be read of it has been told. */
export type SectionContent = ReadSection & { faults: readonly FaultyPart[] };

export interface SectionParts {
  point?: string | undefined;
  paragraphs: readonly Paragraph[];
  /** More of it, for the thread; of the organization, by default all that its view says. */
  detail?: View;
  figures: Readonly<Record<string, Known<{ value: number }>>>;
  /** Names in the order in which they are shown. */
  ranking?: Ranking;
  isQuiet?: boolean;
}

/**
 * Puts a section together. A period is published when each of its days is.
 *
 * @param admission the permission to show its amounts to the readers of the digest
 */
export function content(
  { source, faults }: { source: Source; faults: readonly FaultyPart[] },
  { paragraphs, point, detail, figures, ranking, isQuiet }: SectionParts,
  { amount, sums }: Admission,
): SectionContent {
  const isPublished = source.days.every(({ state }) => state === 'fresh' || state === 'settled');
  return {
    kind: isPublished ? 'ready' : 'unpublished',
    ...(point === undefined ? {} : { point }),
    ...saidBy(paragraphs),
    ...(detail ? { detail: viewMessage(detail) } : {}),
    figures: Object.fromEntries(
      Object.entries(figures).flatMap(([name, known]) =>
        known.kind === 'known' ? [[name, amount(known.value.value)]] : [],
      ),
    ),
    ...(sums.length > 0 ? { sums } : {}),
    ...(ranking ? { ranking } : {}),
    isQuiet: isQuiet ?? true,
    faults,
  };
}

/** What a section says of a team that the platform tells of the organization alone. */
export function notByPerson(): SectionContent {
  const said = saidBy([note('The platform tells this for the whole organization only.')]);
  return { kind: 'ready', ...said, figures: {}, isQuiet: true, faults: [] };
}
