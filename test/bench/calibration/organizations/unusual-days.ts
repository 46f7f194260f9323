import { judgeDay, type DayAmount } from '../../../../src/core/figures/insight/unusual.ts';
import { createNoise } from '../noise.ts';
import * as events from './events.ts';
import { organizationAmounts, organizationDays, SIZES, WEEK_NAMES, type OrganizationKind } from './organization.ts';

/** Fourteen weeks: an answer compares a day with the thirteen before it. */
const HISTORY_DAYS = 98;
const JUDGED_DAYS = 21;
export const HOLIDAYS = [0, 1, 3, 5, 10] as const;
/** Of a holiday or a hack week, one is a hack week. */
const HACK_WEEKS = 6;
const YEAR = Date.parse('2027-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

interface UnusualWorld {
  name: string;
  kind: OrganizationKind;
  event: events.Event | undefined;
}

const eventWorld = (name: string, event: events.Event): UnusualWorld => ({
  name: `${name}, 60 people`,
  kind: { week: 'Mon–Fri', people: 60 },
  event,
});

const UNUSUAL_WORLDS: readonly UnusualWorld[] = [
  ...WEEK_NAMES.flatMap((week) =>
    SIZES.map((people) => ({ name: `${week}, ${people} people`, kind: { week, people }, event: undefined })),
  ),
  ...[12, 25, 60].map((people) => ({
    name: `heavy tails, ${people} people`,
    kind: { week: 'Mon–Fri' as const, people, isHeavyTailed: true },
    event: undefined,
  })),
  eventWorld('sprints', events.sprints),
  eventWorld('release trains', events.releaseTrains),
  eventWorld('adoption', events.adoption),
  eventWorld('growth of 2–5 % a week', events.growth(0.02, 0.05)),
  eventWorld('freeze', events.freeze),
  eventWorld('price cut', events.priceCut),
  eventWorld('step up', events.stepUp),
  eventWorld('outages', events.outages),
];

interface Alarms {
  days: number;
  high: number;
  low: number;
}

interface Found {
  judged: number;
  double: number;
  triple: number;
  /** Only if ordinary workdays before were never empty. */
  zero: number;
  zeroJudged: number;
}

export interface UnusualCell {
  world: string;
  people: number;
  isHeavyTailed: boolean;
  workdays: Alarms;
  offDays: Alarms;
  /** By the number of holidays before. */
  found: Record<number, Found>;
}

/** Judges three weeks of each of some organizations, day by day, after a number of holidays. */
export function measureUnusualDays(organizations: number, seed: number): UnusualCell[] {
  return UNUSUAL_WORLDS.map(({ name, kind, event }, index) => {
    const noise = createNoise(seed + 1_000 * index);
    const cell: UnusualCell = {
      world: name,
      people: kind.people,
      isHeavyTailed: kind.isHeavyTailed ?? false,
      workdays: { days: 0, high: 0, low: 0 },
      offDays: { days: 0, high: 0, low: 0 },
      found: Object.fromEntries(
        HOLIDAYS.map((count) => [count, { judged: 0, double: 0, triple: 0, zero: 0, zeroJudged: 0 }]),
      ),
    };
    for (let one = 0; one < organizations; one += 1) {
      const holidays = HOLIDAYS[one % HOLIDAYS.length] ?? 0;
      const weeksBefore = 1 + Math.floor(8 * noise.uniform());
      const block = Math.floor(one / HOLIDAYS.length) % HACK_WEEKS === 0 ? events.hackWeek : events.holidayBlock;
      const cause = event ?? block(holidays, weeksBefore);
      const first = new Date(YEAR + DAY_MS * Math.floor(365 * noise.uniform())).toISOString().slice(0, 10);
      const days = organizationDays(first, HISTORY_DAYS + JUDGED_DAYS, kind.week);
      const effects = cause(noise, days, HISTORY_DAYS);
      const amounts = organizationAmounts(kind, noise, days, effects);
      const rows = days.map(({ date }, at): DayAmount => ({ day: date, amount: amounts[at] ?? 0 }));
      countAlarms(cell, rows, days, effects);
      if (!event) countFound(cell, rows, days, effects, holidays);
    }
    return cell;
  });
}

const stateOf = (rows: readonly DayAmount[], day: DayAmount) => {
  const judged = judgeDay(rows, day);
  return judged.kind === 'unusual' ? judged.direction : 'usual';
};

/** As the watch does, one message for consecutive days in the same state. */
function countAlarms(
  cell: UnusualCell,
  rows: readonly DayAmount[],
  days: ReturnType<typeof organizationDays>,
  effects: readonly events.MarkedEffect[],
): void {
  let before = 'usual';
  for (let at = HISTORY_DAYS; at < rows.length; at += 1) {
    const [row, day] = [rows[at], days[at]];
    if (!row || !day) continue;
    const state = stateOf(rows.slice(0, at), row);
    if (effects[at]?.isEvent !== true) {
      const alarms = day.isWorkday ? cell.workdays : cell.offDays;
      alarms.days += 1;
      if (state !== before && state !== 'usual') alarms[state] += 1;
    }
    before = state;
  }
}

/** Replaces one workday of the judged weeks. */
function countFound(
  cell: UnusualCell,
  rows: readonly DayAmount[],
  days: ReturnType<typeof organizationDays>,
  effects: readonly events.MarkedEffect[],
  holidays: number,
): void {
  const found = cell.found[holidays];
  for (const at of [HISTORY_DAYS, HISTORY_DAYS + 4, HISTORY_DAYS + 9, HISTORY_DAYS + 16]) {
    const row = rows[at];
    if (!found || !row || days[at]?.isWorkday !== true || effects[at]?.isEvent === true || row.amount === 0) continue;
    const before = rows.slice(0, at);
    const isFound = (factor: number, direction: string) =>
      stateOf(before, { ...row, amount: factor * row.amount }) === direction ? 1 : 0;
    found.judged += 1;
    found.double += isFound(2, 'high');
    found.triple += isFound(3, 'high');
    const wasEmpty = before.some(
      ({ amount }, place) => amount === 0 && days[place]?.isWorkday === true && effects[place]?.isEvent !== true,
    );
    if (wasEmpty) continue;
    found.zeroJudged += 1;
    found.zero += isFound(0, 'low');
  }
}
