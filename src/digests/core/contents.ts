import { comparedPeriod } from '../../analytics/comparison.ts';
import type { DigestSection, DigestQuery } from '../../feature.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import { resolveAudience } from './audience.ts';
import { noteLook, type Look } from '../../slack/people/figure-looks.ts';
import { LEFT_OUT, mayShowPeople, readersSeePeople, showsPeople } from './names.ts';
import type { DigestDeps } from './deps.ts';
import type { DigestPayload } from './payload.ts';
import { leftOut, readSection, type SectionRead } from './sections.ts';
import { digestSettingsSchema, type DigestSettings } from './settings.ts';

export type Contents =
  | {
      kind: 'read';
      sections: SectionRead[];
      audience: string | undefined;
      /** Of whom it shows figures by name; missing: of nobody. */
      shows: Look['of'] | undefined;
    }
  /** Whom it covers is gone. */
  | { kind: 'nobody'; sentence: string };

export function readSettings(subscription: Pick<Subscription, 'settings'>): DigestSettings {
  return digestSettingsSchema.parse(JSON.parse(subscription.settings));
}

/** The sections that a digest has: those that were chosen and that this version still knows. */
export function chosenSections(known: readonly DigestSection[], settings: DigestSettings): DigestSection[] {
  const chosen = settings.sections;
  const kept = known.filter(({ id, isDefault }) => (chosen ? chosen.includes(id) : isDefault));
  return kept.length > 0 ? kept : known.filter(({ isDefault }) => isDefault);
}

/** @param only the id of the one section that is wanted */
export async function readContents(
  deps: DigestDeps,
  subscription: Pick<Subscription, 'id' | 'settings' | 'owner' | 'channel'>,
  { cadence, period }: Pick<DigestPayload, 'cadence' | 'period'>,
  only?: string,
): Promise<Contents> {
  const settings = readSettings(subscription);
  const chosen = chosenSections(deps.sections(), settings);
  const scope = { audience: settings.audience, sections: chosen };
  const isWithheld = showsPeople(scope) && !(await mayShowPeople(deps, subscription));
  if (isWithheld && settings.audience.kind === 'people') return { kind: 'nobody', sentence: LEFT_OUT };
  const audience = await resolveAudience(deps.people, settings.audience);
  if (audience.kind === 'gone') return { kind: 'nobody', sentence: audience.sentence };
  const query: DigestQuery = {
    period,
    comparedWith: comparedPeriod(period, cadence === 'monthly' ? 'month' : undefined),
    people: audience.people,
    about: audience.label,
    areChosen: settings.audience.kind === 'people',
    readersSeePeople: await readersSeePeople(deps, subscription),
    isOnePerson: settings.audience.kind === 'people' && settings.audience.ids.length === 1,
    log: deps.log.child({ digest: subscription.id }),
  };
  const sections = chosen.filter(({ id }) => only === undefined || id === only);
  const now = deps.clock.now();
  const read = await Promise.all(
    sections.map(async (one) =>
      isWithheld && one.namesPeople ? leftOut(one, LEFT_OUT, now) : readSection(one, query, now),
    ),
  );
  const isNaming =
    settings.audience.kind === 'people' || (!isWithheld && sections.some(({ namesPeople }) => namesPeople));
  return {
    kind: 'read',
    sections: read,
    audience: audience.people === undefined ? undefined : audience.label,
    shows: isNaming ? (audience.people ?? 'everybody') : undefined,
  };
}

/** Keeps whose figures a digest shows by name, before it shows them to a channel or a person. */
export async function noteDigestLook(
  { db, clock, people }: Pick<DigestDeps, 'db' | 'clock' | 'people'>,
  looker: string,
  { shows }: Extract<Contents, { kind: 'read' }>,
): Promise<void> {
  if (shows === undefined) return;
  const self = /^[UW]/.test(looker) ? (await people.describe(looker))?.email : undefined;
  await noteLook(db, { looker, of: shows, what: 'digest' }, clock.now(), self);
}
