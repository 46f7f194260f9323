import { dayOf } from '../../base/calendar.ts';
import { countOf } from '../../base/numbers.ts';
import { readPeopleByDay } from '../../analytics/people-by-day.ts';
import { hasRole } from '../../base/roles.ts';
import { platformSentence } from '../../slack/blocks/faults.ts';
import { plainMessage, roleSentence } from '../../slack/blocks/messages.ts';
import type { Interaction } from '../../slack/interactions.ts';
import type { LimitDeps } from '../core/deps.ts';
import { closedPeriods, simulate, type SimulatedUnit } from './simulate.ts';
import { simulationMessage } from './view.ts';

export interface SimulateRequest {
  /** The id of a user group. */
  group: string;
  limit: number;
  unit: SimulatedUnit | undefined;
}

const DEFAULT_UNIT: SimulatedUnit = 'month';
const MAX_AGE_MS = 10 * 60_000;

/** `/limits simulate @group 3000 per month`: what a limit would have done. */
export async function showSimulation(
  deps: LimitDeps,
  { group, limit, unit: typed }: SimulateRequest,
  { person, reply }: Interaction,
): Promise<void> {
  if (!hasRole(person.role, 'manager')) return reply.show(plainMessage(roleSentence('/limits simulate', 'manager')));
  const team = (await deps.people.teams()).find(({ id }) => id === group);
  if (!team) return reply.show(plainMessage('Slack doesn’t know this user group, or shows nobody in it.'));
  const { limitPeriod } = deps.config;
  const unit = typed ?? (limitPeriod === 'year' ? undefined : limitPeriod) ?? DEFAULT_UNIT;
  const periods = closedPeriods(unit, dayOf(deps.clock.now()));
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last)
    return reply.show(plainMessage(`No whole ${unit} with figures has passed yet, so there is nothing to go by.`));
  reply.progress('Reading what people used …');
  const range = { first: first.first, last: last.last };
  const read = await readPeopleByDay(deps.days, range, { maxAgeMs: MAX_AGE_MS });
  if (read.kind === 'unreadable') return reply.show(plainMessage(platformSentence(read.fault)));
  const simulation = simulate(read.people, { emails: team.emails, limit, periods, range });
  if (simulation.kind === 'missing_days') {
    const { missing, days } = simulation;
    return reply.show(
      plainMessage(
        `${missing} of ${countOf(days, 'day')} are not published. With more than a tenth missing, this would promise too much.`,
      ),
    );
  }
  const names = hasRole(person.role, 'admin') ? await deps.people.names() : undefined;
  await reply.show(
    simulationMessage({
      about: `@${team.handle}`,
      limit,
      unit,
      isUnitGuessed: typed === undefined && limitPeriod === undefined,
      periods: simulation.periods,
      nameOf: names && ((email) => names.get(email) ?? email),
    }),
  );
}
