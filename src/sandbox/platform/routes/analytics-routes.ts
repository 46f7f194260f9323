import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayName, dayNumber, FIRST_DAY, isDay } from '../model/calendar.ts';
import type { DayFigures } from '../model/day-figures.ts';
import { yesterday } from '../model/figures.ts';
import { type Reply, type Route, type RouteRequest, badRequest, readLimit } from './route.ts';
import type { UserWireRow } from './wire.ts';
import type { World } from '../model/world.ts';

const BASE_PATH = '/api/v1/analytics';

type RowsOfDay = (figures: DayFigures, world: World, day: number) => unknown[];

interface Resource {
  rows: RowsOfDay;
  /** The rows for the one value of `group_by`. */
  grouped?: { by: string; rows: RowsOfDay };
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  tokens: {
    rows: ({ tokens }) => [tokens],
    grouped: {
      by: 'model',
      rows: ({ tokens }) =>
        tokens.by_model.map(({ model_id, billable_tokens, input_tokens, output_tokens }) => ({
          date: tokens.date,
          group_key: model_id,
          billable_tokens,
          input_tokens,
          output_tokens,
        })),
    },
  },
  tools: {
    rows: ({ tools }) => [tools],
    grouped: {
      by: 'tool_name',
      rows: ({ tools }) =>
        tools.by_tool.map(({ tool, invocations }) => ({
          date: tools['date'],
          group_key: tool,
          tool_calls: invocations,
        })),
    },
  },
  activity: {
    rows: (figures, world, day) => [activityRow(figures, world, day)],
    grouped: {
      by: 'client',
      rows: ({ clients }, _world, day) =>
        Object.entries(clients).map(([client, users]) => ({
          date: dayName(day),
          group_key: client,
          daily_active_users: users,
        })),
    },
  },
  productivity: { rows: ({ productivity }) => [productivity] },
};

/** API document: "Analytics". */
export const analyticsRoutes: readonly Route[] = [
  ...Object.entries(RESOURCES).map(([name, resource]): Route => ({
    method: 'GET',
    path: `${BASE_PATH}/${name}`,
    access: 'analytics',
    handle: (world, request) => answerByDay(world, request, resource),
  })),
  { method: 'GET', path: `${BASE_PATH}/users`, access: 'analytics', handle: answerUsers },
];

interface Range {
  first: number;
  last: number;
}

function readRange({ clock }: World, query: URLSearchParams): Range {
  const read = (name: string) => {
    const text = query.get(name) ?? '';
    if (!isDay(text)) throw badRequest(`${name} must be a date: YYYY-MM-DD`);
    const day = dayNumber(text);
    if (day > yesterday(clock)) throw badRequest(`${name} must not be after yesterday (UTC)`);
    // Refusing earlier days, rather than answering without rows, is the simulator's own choice.
    if (day < FIRST_DAY) throw badRequest(`${name} must not be before ${dayName(FIRST_DAY)}`);
    return day;
  };
  const range = { first: read('startDate'), last: read('endDate') };
  if (range.first > range.last) throw badRequest('startDate must not be after endDate');
  return range;
}

function envelope(world: World, { first, last }: Range, data: unknown[], more: Record<string, unknown> = {}): Reply {
  const meta = { org_id: world.organization.id, start_date: dayName(first), end_date: dayName(last), ...more };
  return { status: 200, body: { data, meta } };
}

/** Folds one day per turn of the event loop, so that a large organization does not block others in the process. */
async function foldRange(world: World, { first, last }: Range): Promise<{ day: number; figures: DayFigures }[]> {
  const days: { day: number; figures: DayFigures }[] = [];
  for (const day of world.figures.publishedDays(first, last)) {
    days.push({ day, figures: world.figures.ofDay(day) });
    await nextTurn();
  }
  return days;
}

async function answerByDay(world: World, { query }: RouteRequest, { rows, grouped }: Resource): Promise<Reply> {
  const range = readRange(world, query);
  const groupBy = query.get('group_by');
  if (groupBy !== null && groupBy !== grouped?.by) throw badRequest(`group_by must be ${grouped?.by ?? 'left out'}`);
  const rowsOfDay = groupBy === null ? rows : (grouped?.rows ?? rows);
  const days = await foldRange(world, range);
  return envelope(
    world,
    range,
    days.flatMap(({ day, figures }) => rowsOfDay(figures, world, day)),
  );
}

function activityRow({ clients, sessions, messages, userMessages }: DayFigures, world: World, day: number): unknown {
  const { daily, weekly, monthly } = world.figures.activeUsers(day);
  return {
    date: dayName(day),
    daily_active_users: daily,
    weekly_active_users: weekly,
    monthly_active_users: monthly,
    daily_active_users_by_client: clients,
    sessions,
    messages,
    user_messages: userMessages,
  };
}

/**
 * Answers a page of people with all their days, in the order of their ids; a cursor is a user id. (The document shows neither
 * the order nor whether `limit` counts people or rows: the simulator's own choice.)
 */
async function answerUsers(world: World, { query }: RouteRequest): Promise<Reply> {
  const range = readRange(world, query);
  const limit = readLimit(query, { most: 100, fallback: 20 });
  const cursor = query.get('cursor') ?? '';
  const days = await foldRange(world, range);
  const present = new Set<string>();
  for (const { figures } of days) {
    for (const id of figures.users.keys()) if (id > cursor) present.add(id);
  }
  const ids = [...present].toSorted();
  const page = ids.slice(0, limit);
  const data = page.flatMap((id) =>
    days.map(({ figures }) => figures.users.get(id)).filter((row): row is UserWireRow => row !== undefined),
  );
  const hasMore = ids.length > limit;
  return envelope(world, range, data, { has_more: hasMore, ...(hasMore && { next_cursor: page.at(-1) }) });
}
