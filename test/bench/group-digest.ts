import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCreditsBuilder, type PeopleColumns } from '../../src/core/analytics/columns/people-columns.ts';
import { createPeopleDictionary } from '../../src/core/analytics/columns/people-dictionary.ts';
import { systemClock } from '../../src/core/base/time/clock.ts';
import { daysOf, plusDays, type Day } from '../../src/core/base/time/calendar.ts';
import { allowOwnAmounts } from '../../src/core/figures/groups/admission.ts';
import type { GateDeps } from '../../src/core/figures/groups/gate.ts';
import { openStore } from '../../src/core/store/database.ts';
import { readGroupCourse } from '../../src/features/usage/digest/group-course.ts';
import { createRandom } from '../../src/sandbox/platform/model/random.ts';
import type { Result } from './reports.ts';
import { median } from './statistics.ts';

const DAYS = { first: '2026-01-14', last: '2026-05-31' };
/** One digest a week, the last on Monday, 1 June. */
const WEEKS = 7;
const MEMBERS = 12;
const MIN_GROUP = 5;
const ACTIVE_SHARE = 0.7;
const MAX_CPU_MS = 300;

/** Measures the course of a group in its weekly digest: its days, its changes and its forecast, with the small-group check. */
export async function reportGroupDigest(people: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-group-digest-'));
  const store = await openStore(`file:${join(folder, 'bench.db')}`);
  const columns = columnsOf(people);
  const deps: GateDeps = {
    db: store.db,
    clock: systemClock,
    config: { minGroup: MIN_GROUP },
    plannedSums: () => Promise.resolve([]),
    days: {
      peopleCredits: ({ first, last }, take) => {
        const days = [...columns.keys()].filter((day) => day >= first && day <= last);
        for (const [day, own] of columns) if (day >= first && day <= last) take(own);
        return Promise.resolve({ kind: 'read', rows: days, readAt: new Date() });
      },
    },
  };
  const spentMs: number[] = [];
  for (let week = WEEKS - 1; week >= 0; week -= 1) {
    const last = plusDays(DAYS.last, -7 * week);
    const before = process.cpuUsage();
    await readGroupCourse(deps, {
      emails: Array.from({ length: MEMBERS }, (_, index) => emailOf(index)),
      scope: {
        period: { first: plusDays(last, -6), last },
        comparedWith: { first: plusDays(last, -13), last: plusDays(last, -7) },
        today: plusDays(last, 1),
      },
      beginning: DAYS.first,
      maxAgeMs: 0,
      admission: allowOwnAmounts(),
      gate: { shownTo: { kind: 'channel' } },
    });
    const { user, system } = process.cpuUsage(before);
    spentMs.push((user + system) / 1_000);
  }
  await store.close();
  rmSync(folder, { recursive: true });
  const cpuMs = median(spentMs);
  return {
    figures: { groupDigest: { people, cpuMs } },
    lines: [
      `The chart and the forecast of a group of ${MEMBERS} in an organization of ${people} people: ${cpuMs.toFixed(0)} ms of processor time, median of ${WEEKS} weekly digests`,
    ],
    faults: cpuMs > MAX_CPU_MS ? [`a digest of a group takes ${cpuMs.toFixed(0)} ms`] : [],
  };
}

const emailOf = (person: number) => `person.${person}@acme.example`;

/** The days as memory holds them, with one dictionary. */
function columnsOf(people: number): ReadonlyMap<Day, PeopleColumns> {
  const dictionary = createPeopleDictionary();
  const random = createRandom(7);
  return new Map(
    daysOf(DAYS).map((day) => {
      const builder = createCreditsBuilder(dictionary);
      for (let person = 0; person < people; person += 1)
        if (random() < ACTIVE_SHARE) builder.add([`user_${person}`, emailOf(person), Math.floor(10 ** (6 * random()))]);
      return [day, builder.finish(day)];
    }),
  );
}
