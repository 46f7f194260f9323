import { comparedPeriod } from '../../../core/analytics/period.ts';
import type { DigestSection, DigestQuery, SectionReading } from '../../../core/feature.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import type { NamingPermission } from '../../../core/slack/people/audience.ts';
import { resolveAudience } from './audience.ts';
import type { Disclosure, GroupSum, Names } from '../../../core/base/privacy/disclosure.ts';
import { findNaming, LEFT_OUT, showsPeople, shownToReader, type DigestReader } from './names.ts';
import type { DigestDeps } from './digests-deps.ts';
import type { DigestPayload, Correction } from './digest-payload.ts';
import { readSection, type SectionRead } from './sections.ts';
import { digestSettingsSchema, type DigestSettings } from './settings.ts';
import { jsonColumn } from '../../../core/store/json-column.ts';

interface ReadingRight {
  /** The people whose figures it shows by name; undefined if none. */
  shows: Disclosure['of'] | undefined;
  /** Whether the readers may see single people. */
  isForNaming: boolean;
  /** Whether it covers the whole organization without names, and so suits all readers. */
  isForEverybody: boolean;
}

export interface ReadContents extends ReadingRight {
  kind: 'read';
  sections: SectionRead[];
  audience: string | undefined;
}

export type Contents =
  | ReadContents
  | { kind: 'gone'; sentence: string }
  /** Its readers may see nothing of it. */
  | { kind: 'withheld'; sentence: string };

const settingsColumn = jsonColumn(digestSettingsSchema);
export const readSettings = ({ settings }: Pick<Subscription, 'settings'>): DigestSettings =>
  settingsColumn.read(settings);

/** Returns the chosen sections that this version still knows, otherwise the default ones. */
export function chosenSections(available: readonly DigestSection[], settings: DigestSettings): DigestSection[] {
  const chosen = settings.sections;
  const sections = available.filter(({ id, isDefault }) => (chosen ? chosen.includes(id) : isDefault));
  return sections.length > 0 ? sections : available.filter(({ isDefault }) => isDefault);
}

type DigestAbout = Pick<Subscription, 'id' | 'settings' | 'owner'>;

interface ResolvedDigest extends ReadingRight {
  kind: 'resolved';
  chosen: readonly DigestSection[];
  settings: DigestSettings;
  naming: NamingPermission | undefined;
  people: readonly string[] | undefined;
  label: string;
}

async function resolve(
  deps: DigestDeps,
  subscription: DigestAbout,
  reader: DigestReader,
  only?: string,
): Promise<ResolvedDigest | Exclude<Contents, ReadContents>> {
  const settings = readSettings(subscription);
  const all = chosenSections(deps.sections, settings);
  const scope = { audience: settings.audience, sections: all };
  const naming = await findNaming(deps, subscription, scope, reader);
  if (!naming && settings.audience.kind === 'people') return { kind: 'withheld', sentence: LEFT_OUT };
  const audience = await resolveAudience(deps.people, settings.audience);
  if (audience.kind === 'gone') return audience;
  const { people, label } = audience;
  const chosen = all.filter(({ id }) => only === undefined || id === only);
  const isNaming = naming !== undefined && showsPeople({ ...scope, sections: chosen });
  return {
    kind: 'resolved',
    chosen,
    settings,
    naming,
    people,
    label,
    shows: isNaming ? (people ?? 'everybody') : undefined,
    isForNaming: naming !== undefined,
    isForEverybody: people === undefined && !showsPeople(scope),
  };
}

/** Returns how much the readers of a digest may see of it now, without reading any figures. */
export async function readRight(
  deps: DigestDeps,
  subscription: DigestAbout,
  reader: DigestReader,
): Promise<({ kind: 'right' } & ReadingRight) | { kind: 'gone'; sentence: string }> {
  const resolved = await resolve(deps, subscription, reader);
  if (resolved.kind === 'gone') return resolved;
  if (resolved.kind === 'withheld')
    return { kind: 'right', shows: undefined, isForNaming: false, isForEverybody: false };
  const { shows, isForNaming, isForEverybody } = resolved;
  return { kind: 'right', shows, isForNaming, isForEverybody };
}

/** Reads the content of a digest for its readers. @param only the id of the one section to read */
export async function readContents(
  deps: DigestDeps,
  subscription: DigestAbout,
  { cadence, period }: Pick<DigestPayload, 'cadence' | 'period'>,
  reader: DigestReader,
  only?: string,
): Promise<Contents> {
  const resolved = await resolve(deps, subscription, reader, only);
  if (resolved.kind !== 'resolved') return resolved;
  const { naming, people, label, settings, chosen, shows, isForNaming, isForEverybody } = resolved;
  const query: DigestQuery = {
    period,
    comparedWith: comparedPeriod(period, cadence === 'monthly' ? 'month' : undefined),
    people,
    about: label,
    rightToName: naming,
    // A channel that may see the names of one group may not see those of other groups.
    rightToNameOthers: reader.kind === 'person' || people === undefined ? naming : undefined,
    isOnePerson: settings.audience.kind === 'people' && settings.audience.ids.length === 1,
    shownTo: shownToReader(reader),
    log: deps.log.child({ digest: subscription.id }),
  };
  const now = deps.clock.now();
  const always = deps.extraSections.filter(({ id }) => only === undefined || only === id);
  const read = await Promise.all([...chosen, ...always].map(async (one) => readSection(one, query, now)));
  const sections = read.filter(({ id, reading }) => !isEmptyExtra(always, id, reading));
  const audience = people === undefined ? undefined : label;
  return { kind: 'read', sections, audience, shows, isForNaming, isForEverybody };
}

/** An extra section that could not be read is no reason to mark the digest as incomplete. */
const isEmptyExtra = (always: readonly DigestSection[], id: string, reading: SectionReading) =>
  always.some((one) => one.id === id) && (reading.kind === 'unreadable' || reading.blocks.length === 0);

export function namesIn({ shows }: Pick<ReadingRight, 'shows'>, { owner }: Pick<Subscription, 'owner'>): Names {
  return shows === undefined ? 'nobody' : { what: 'digest', of: shows, chosenBy: owner };
}

export const sumsIn = ({ sections }: Pick<ReadContents, 'sections'>): GroupSum[] =>
  sections.flatMap(({ reading }) => (reading.kind === 'unreadable' ? [] : (reading.sums ?? [])));

/** If a correction was written for readers who may see single people, other readers only learn that it exists. */
export function visibleCorrection(
  correction: Correction,
  { isForNaming, isForEverybody }: Pick<ReadContents, 'isForNaming' | 'isForEverybody'>,
): Correction {
  if (isForNaming || isForEverybody || correction.isForNaming === false) return correction;
  const { at, isCompletion } = correction;
  return { at, isCompletion, moved: [], reordered: [] };
}
