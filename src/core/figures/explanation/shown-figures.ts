import { z } from 'zod';
import { ROUNDING } from '../../base/text/numbers.ts';
import { parseJson } from '../../base/text/parse-json.ts';
import type { ExplainedPart } from './explanation.ts';

const amount = z.number().nullable();
/** The figures that a reader was shown, by label: the value, and its terms by name. `null`: not known. */
const shownFiguresSchema = z.record(z.string(), z.tuple([amount, z.record(z.string(), amount)]));
export type ShownFigures = z.infer<typeof shownFiguresSchema>;

export interface FigureChange {
  label: string;
  before: number | undefined;
  after: number | undefined;
  terms: readonly { name: string; before: number | undefined; after: number | undefined }[];
}

export function shownFigures(parts: readonly ExplainedPart[]): ShownFigures {
  return Object.fromEntries(
    parts.map(({ label, value, terms = [] }) => [
      label,
      [
        value.kind === 'known' ? value.value : null,
        Object.fromEntries(terms.map((term) => [term.name, term.value ?? null])),
      ],
    ]),
  );
}

/** Returns each figure that differs from the one that was shown, with its terms that differ. Pure. */
export function figureChanges(before: ShownFigures, after: ShownFigures): FigureChange[] {
  return Object.entries(before).flatMap(([label, [was, wasTerms]]) => {
    const current = after[label];
    if (!current) return [];
    const [is, isTerms] = current;
    // A name that is listed only once moved between the list and its “others”.
    const terms = Object.keys(wasTerms)
      .filter((name) => Object.hasOwn(isTerms, name))
      .map((name) => ({ name, before: wasTerms[name] ?? undefined, after: isTerms[name] ?? undefined }))
      .filter((term) => differ(term.before, term.after));
    const change = { label, before: was ?? undefined, after: is ?? undefined, terms };
    return differ(change.before, change.after) || terms.length > 0 ? [change] : [];
  });
}

/** Sums of decimals depend on the order of their parts, so the last digits do not count. */
function differ(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return one !== other;
  return Math.abs(one - other) > Math.max(Math.abs(one), Math.abs(other)) * ROUNDING;
}

const metadataSchema = z.object({ about: z.string().max(2_000), figures: shownFiguresSchema });
const MAX_METADATA = 2_900;

/** @param about what the modal explains: the words of a command, or the key of a digest */
export function explanationMetadata(about: string, parts: readonly ExplainedPart[]): string {
  const figures = shownFigures(parts);
  const labels = Object.keys(figures);
  const encode = () => JSON.stringify({ about, figures });
  // Terms go first, then whole figures, from the end: the most important figure comes first.
  for (const label of labels.toReversed()) {
    if (encode().length <= MAX_METADATA) break;
    const [value] = figures[label] ?? [null];
    figures[label] = [value, {}];
  }
  for (const label of labels.toReversed()) {
    if (encode().length <= MAX_METADATA) break;
    delete figures[label];
  }
  return encode();
}

/** Any client may have changed it; a changed figure misleads that client alone. */
export const readExplanationMetadata = (metadata: string): z.infer<typeof metadataSchema> | undefined =>
  metadataSchema.safeParse(parseJson(metadata)).data;
