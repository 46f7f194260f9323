import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { readPriceList } from '../../../core/figures/money/price-list.ts';
import { costAt, countOf } from '../../../core/base/text/numbers.ts';
import { z } from 'zod';
import { monthOf, unitOf } from '../../../core/base/time/limit-period-days.ts';
import { dayOf } from '../../../core/base/time/calendar.ts';
import { readPeopleByDay } from '../../../core/analytics/amounts.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { statedSentence } from '../../../core/slack/blocks/faults.ts';
import { plainMessage, type RoleDenial } from '../../../core/slack/blocks/messages.ts';
import type { OutgoingMessage } from '../../../core/outbox/poster.ts';
import type { Click, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { findDraft } from '../ask/drafts.ts';
import { peopleOf } from '../core/requests.ts';
import { readVisible } from '../rights/visible-requests.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { closedPeriods, simulate, usedByDay, type SimulatedUnit, type SimulatedLimit } from './simulate.ts';
import { mostAffected, simulationMessage } from './simulation-view.ts';

const simulatedSchema = z.object({ draft: z.string().max(60).optional(), request: z.string().max(60).optional() });

const DEFAULT_UNIT: SimulatedUnit = 'month';
const MAX_AGE_MS = 10 * 60_000;

/** By trying many limits, a reader could find out the use of each individual. */
const ONLY_WHO_SEES_PEOPLE: RoleDenial = {
  what: 'Trying out a limit shows what single people used, so it',
  role: 'admin',
};

export function denialTo({ role, seesPeople }: Person, what: string): RoleDenial | undefined {
  if (!hasRole(role, 'manager')) return { what, role: 'manager' };
  return seesPeople ? undefined : ONLY_WHO_SEES_PEOPLE;
}

export async function showSimulation(
  deps: LimitDeps,
  { group, limit, unit: typed }: SimulatedLimit,
  { person, reply, refusal }: Interaction,
): Promise<void> {
  const denial = denialTo(person, '/limits simulate');
  if (denial) return reply.show(await refusal(denial));
  const team = (await deps.people.teams()).find(({ id }) => id === group);
  if (!team) return reply.show(plainMessage('This team doesn’t exist in Slack, or it has no members.'));
  reply.progress('Reading what people used …');
  const limits = new Map(team.emails.map((email) => [email, limit]));
  await reply.show(await simulationOf(deps, limits, person, { about: `@${team.handle}`, limit, typed }));
}

export async function showRequestSimulation(deps: LimitDeps, click: Click): Promise<void> {
  const { value, person, reply } = click;
  const denial = denialTo(person, 'This button');
  if (denial) return reply.show(await click.refusal(denial));
  const limits = await limitsIn(deps, simulatedSchema.parse(JSON.parse(value)), person);
  if (!limits) return reply.show(plainMessage('This request no longer exists.'));
  await reply.show(await simulationOf(deps, limits, person, { about: 'these people' }));
}

/** A draft is visible to its owner only; for a request, the visible part counts. */
async function limitsIn(
  deps: LimitDeps,
  { draft, request }: z.infer<typeof simulatedSchema>,
  person: Person,
): Promise<Map<string, number> | undefined> {
  if (draft !== undefined) {
    const contents = await findDraft(deps.db, draft, person.slackId);
    return contents && new Map(contents.people.flatMap(({ email, to, removes }) => (removes ? [] : [[email, to]])));
  }
  const visible = await readVisible(deps.db, request ?? '', person, peopleOf);
  return visible && new Map(visible.people.flatMap((one) => (one.removes === 1 ? [] : [[one.email, one.toValue]])));
}

async function simulationOf(
  deps: LimitDeps,
  limits: ReadonlyMap<string, number>,
  person: Person,
  { about, limit, typed }: { about: string; limit?: number; typed?: SimulatedUnit | undefined },
): Promise<OutgoingMessage> {
  const names = hasRole(person.role, 'admin') ? await deps.people.names() : undefined;
  const limitPeriod = await readLimitPeriod(deps);
  const limitUnit = limitPeriod && unitOf(limitPeriod);
  const unit = typed ?? (limitUnit === 'year' ? undefined : limitUnit) ?? DEFAULT_UNIT;
  const beginning = deps.days.beginningOfPeople();
  const periods = closedPeriods(unit, dayOf(deps.clock.now()), beginning, monthOf(limitPeriod));
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last)
    return plainMessage(
      beginning.keptDays === undefined
        ? `No whole ${unit} with figures has passed yet, so there is nothing to go by.`
        : `Figures of people are kept for ${countOf(beginning.keptDays, 'day')}, and no whole ${unit} is among them. Try a shorter period.`,
    );
  const range = { first: first.first, last: last.last };
  const read = await readPeopleByDay(deps.days, range, { maxAgeMs: MAX_AGE_MS });
  if (read.kind === 'unreadable') return plainMessage(statedSentence(read.fault));
  const simulation = simulate(read.people, { limits, periods, range });
  if (simulation.kind === 'missing_days') {
    const { missing, days } = simulation;
    return plainMessage(
      `${missing} of ${countOf(days, 'day')} are not published. With more than a tenth missing, this would promise too much.`,
    );
  }
  // Figures for a few people reveal each of them, even without names.
  const of = limits.size < deps.config.minGroup ? [...limits.keys()] : names ? mostAffected(simulation.periods) : [];
  const prices = await readPriceList(deps.db);
  const price = prices.on(dayOf(deps.clock.now()));
  const message = simulationMessage({
    about,
    limit,
    unit,
    isUnitGuessed: typed === undefined && limitPeriod === undefined,
    periods: simulation.periods,
    costs: {
      limit: limit === undefined ? undefined : price && costAt(price, limit),
      used: price && prices.costOf(usedByDay(read.people, [...limits.keys()], range)),
    },
    nameOf: names && ((email) => names.get(email) ?? email),
  });
  return { ...message, names: of.length === 0 ? 'nobody' : { what: 'limit_trial', of } };
}
