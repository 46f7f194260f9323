import { FACTS_MAX_AGE_MS } from '../../../core/analytics/day-facts.ts';
import { notBeforeFirstDay } from '../../../core/analytics/period.ts';
import { plusDays, type Day, type Period } from '../../../core/base/time/calendar.ts';
import { findDelivery } from '../../../core/outbox/past-deliveries.ts';
import type { ChannelSubscription } from '../../../core/watches/channel-subscription-table.ts';
import { CHANNEL, sentenceFor } from '../../../core/slack/people/audience.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { readCreditSubjects, type CreditSubject } from '../../../core/figures/credit-subjects.ts';
import type { Admission } from '../../../core/figures/groups/admission.ts';
import { allowPlan, type AdmittedWatch, type PlannedWatch } from './allow-plan.ts';
import { commitWatch } from './commit.ts';
import { LostRace } from '../lost-race.ts';
import { explainDay, type Explanation } from './explain.ts';
import { unusualDaysMessage, type WatchEntry } from './unusual-day-payload.ts';
import { isUnusual, planWatch, type AssessedDay, type JudgedDay } from './plan.ts';
import {
  aboutOf,
  HISTORY_DAYS,
  listWatchDays,
  nameOf,
  readMembers,
  sinceDay,
  unusualDayWatches,
} from './unusual-day-store.ts';

/** Enqueues one message per channel and day; returns whether all was readable and up to date with `published`. */
export async function evaluateWatches(
  deps: AlertDeps,
  watches: readonly ChannelSubscription[],
  { today, published }: { today: Day; published: Day | undefined },
): Promise<boolean> {
  if (watches.length === 0) return true;
  const range = { first: notBeforeFirstDay(plusDays(today, -HISTORY_DAYS)), last: plusDays(today, -1) };
  const groups = new Map((await deps.people.teams()).map(({ id, emails }) => [id, emails]));
  const assessed = await listWatchDays(deps.db, range.first);
  const membersById = await readMembers(deps.db, reportedMembers(assessed));
  const creditSubjectOf = ({ subject }: ChannelSubscription): CreditSubject | undefined => {
    if (subject === '') return { kind: 'organization' };
    const emails = groups.get(subject);
    return emails && { kind: 'people', emails };
  };
  const reportedGroups = [...membersById.values()].map((emails): CreditSubject => ({ kind: 'people', emails }));
  const creditSubjects = [...watches.flatMap((watch) => creditSubjectOf(watch) ?? []), ...reportedGroups];
  const read = await readCreditSubjects(deps.days, creditSubjects, range, { maxAgeMs: FACTS_MAX_AGE_MS });
  const rowsIn = (counted: CreditSubject) => {
    const part = read(counted);
    return part.kind === 'read' ? part.rows : undefined;
  };
  const now = deps.clock.now();
  let isComplete = true;
  const planned = watches.flatMap((watch): PlannedWatch[] => {
    const counted = creditSubjectOf(watch);
    const part = counted && read(counted);
    if (part?.kind === 'unreadable')
      deps.log.warn({ err: part.fault, channel: watch.channel }, 'Reading a watch failed');
    if (part?.kind !== 'read' || (published !== undefined && (part.rows.at(-1)?.date ?? '') < published))
      isComplete = false;
    if (part?.kind !== 'read') return [];
    const theirs = assessed.get(nameOf(watch.channel, watch.subject)) ?? [];
    const isSnoozed = (unusualDayWatches.recentOf(watch)?.snoozedUntil ?? '') > now.toISOString();
    const rowsOf = ({ members }: AssessedDay) => {
      if (watch.subject === '') return part.rows;
      const emails = membersById.get(members ?? '');
      return emails && rowsIn({ kind: 'people', emails });
    };
    const plan = planWatch({ rows: part.rows, rowsOf, assessed: theirs, since: sinceDay(watch), today, isSnoozed });
    return [{ watch, plan, assessed: theirs, emails: groups.get(watch.subject), membersById }];
  });
  const admitted = await Promise.all(planned.map((one) => allowPlan(deps, one)));
  for (const [channel, theirs] of Map.groupBy(admitted, ({ watch }) => watch.channel)) {
    isComplete = (await enqueueForChannel(deps, channel, theirs, today)) && isComplete;
  }
  return isComplete;
}

function reportedMembers(assessed: ReadonlyMap<string, readonly AssessedDay[]>): string[] {
  const all = [...assessed.values()].flat().filter(({ judgement }) => isUnusual(judgement));
  return [...new Set(all.flatMap(({ members }) => members ?? []))];
}

/** @returns `false` if a message has to wait for tomorrow or for the next evaluation */
async function enqueueForChannel(
  deps: AlertDeps,
  channel: string,
  all: readonly AdmittedWatch[],
  today: Day,
): Promise<boolean> {
  const key = `usage-watch:${channel}:${today}`;
  const wasSent = (await findDelivery(deps.db, key)) !== undefined;
  // A channel gets at most one message a day: later ones wait for tomorrow.
  const theirs = all.filter(({ plan }) => !wasSent || plan.message === 'none');
  const due = theirs.flatMap((one) => (one.admission ? [{ one, admission: one.admission }] : []));
  const entries = await Promise.all(due.map(({ one, admission }) => entryOf(deps, one, admission)));
  const now = deps.clock.now();
  try {
    await deps.db.transaction().execute(async (trx) => {
      for (const one of theirs) await commitWatch(trx, one, entries.length > 0 ? key : undefined, now);
      if (entries.length === 0) return;
      const message = { key, to: channel, payload: { entries } };
      if (!(await unusualDaysMessage.enqueue(trx, message, now))) throw new LostRace();
    });
    return theirs.length === all.length;
  } catch (error) {
    if (!(error instanceof LostRace)) deps.log.error({ err: error, channel }, 'Evaluating a watch failed');
    return false;
  }
}

async function entryOf(
  deps: AlertDeps,
  { watch, plan, naming }: AdmittedWatch,
  admission: Admission,
): Promise<WatchEntry> {
  const kind = plan.message === 'none' ? 'back' : plan.message;
  const reported = kind === 'unusual' ? plan.days.filter(({ judgement }) => isUnusual(judgement)) : plan.days.slice(-1);
  const last = plan.days.at(-1);
  const ended = kind === 'unusual' && last && !isUnusual(last.judgement) ? [last] : [];
  const [day] = reported;
  const explained = kind === 'unusual' && day ? await explainDay(deps, watch, day.day, naming) : NOT_EXPLAINED;
  return {
    subject: watch.subject,
    about: aboutOf(unusualDayWatches.optionsOf(watch)),
    kind,
    days: [...reported, ...ended].map((one) => admittedDay(one, admission)),
    explained: explained.words,
    ...(explained.named.length > 0 ? { named: explained.named } : {}),
    ...(admission.sums.length > 0 ? { sums: admission.sums } : {}),
    happened:
      kind === 'unusual' && day
        ? await happenedOn(deps, { first: day.day, last: reported.at(-1)?.day ?? day.day })
        : [],
  };
}

const NOT_EXPLAINED: Explanation = { words: [], named: [] };

function admittedDay({ day, judgement, amount, range }: JudgedDay, admission: Admission): WatchEntry['days'][number] {
  return {
    day,
    judgement,
    amount: admission.amount(amount),
    ...(range
      ? {
          range: {
            low: admission.amount(range.low),
            usual: admission.amount(range.usual),
            high: admission.amount(range.high),
          },
        }
      : {}),
  };
}

async function happenedOn({ timeline }: AlertDeps, period: Period): Promise<string[]> {
  return (await timeline(period)).map((event) => sentenceFor(event, CHANNEL));
}
