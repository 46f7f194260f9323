import { z } from 'zod';
import { membersOf } from '../model/members-data.ts';
import { passingAll, readinessReports } from '../model/readiness-data.ts';
import type { Edition } from '../model/edition.ts';
import {
  type Reply,
  type Route,
  type RouteRequest,
  badRequest,
  cutPage,
  notFound,
  readBody,
  readLimit,
} from './route.ts';
import type { World } from '../model/world.ts';

/** Readiness reports, and everything under `/api/v0`. Undocumented page sizes are the simulator's own choice. */
export const administrationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/organization/maturity-level-reports',
    access: 'readiness',
    edition: 'contract',
    handle: answerReports,
  },
  {
    method: 'GET',
    path: '/api/organization/agent-readiness-reports',
    access: 'readiness',
    edition: 'today',
    handle: answerReports,
  },
  {
    method: 'GET',
    path: '/api/v0/organization/enterprise-controls/history',
    access: 'managed_administration',
    handle: ({ controls }, { query }) => {
      const limit = readLimit(query, { most: 100, fallback: 20 });
      const { page, pagination } = cutPage(controls.shown(), { limit, cursor: query.get('cursor') });
      return { status: 200, body: { changes: page, pagination } };
    },
  },
  { method: 'GET', path: '/api/v0/sessions/{sessionId}/messages', access: 'administration', handle: answerMessages },
  {
    method: 'GET',
    path: '/api/v0/computers',
    access: 'administration',
    handle: ({ computers, edition }, { query }) => ({
      status: 200,
      body: { computers: computers.list(edition === 'contract' || query.get('includeProvisioningSteps') === 'true') },
    }),
  },
  {
    method: 'POST',
    path: '/api/v0/computers',
    access: 'administration',
    handle: ({ computers, edition }, { body }) => ({
      status: 201,
      body: computers.create(readBody(NEW_COMPUTERS[edition], body)),
    }),
  },
  {
    method: 'GET',
    path: '/api/v0/computers/{computerId}',
    access: 'administration',
    handle: ({ computers }, { path }) => ({
      status: 200,
      body: requireComputer(computers.get(path['computerId'] ?? '')),
    }),
  },
  {
    method: 'POST',
    path: '/api/v0/computers/{computerId}/install-deps',
    access: 'administration',
    handle: ({ computers }, { path }) => ({
      status: 202,
      body: requireComputer(computers.installDeps(path['computerId'] ?? '')),
    }),
  },
  {
    method: 'PUT',
    path: '/api/v0/organization/usage/limits/users',
    access: 'managed_administration',
    handle: ({ limits, edition }, { body }) => ({
      status: 200,
      body: limits.set(readBody(NEW_LIMITS[edition], body).users),
    }),
  },
  {
    method: 'GET',
    path: '/api/v0/organization/usage/limits/users',
    access: 'managed_administration',
    edition: 'today',
    handle: ({ limits }) => ({ status: 200, body: limits.shown() }),
  },
  {
    method: 'GET',
    path: '/api/v0/organization/users',
    access: 'managed_administration',
    edition: 'today',
    handle: ({ organization, clock }, { query }) => {
      const limit = readLimit(query, { most: 100, fallback: 20 });
      const members = membersOf(organization, clock.now());
      const { page, pagination } = cutPage(members, { limit, cursor: query.get('cursor') });
      return { status: 200, body: { users: page, pagination: { nextCursor: null, ...pagination } } };
    },
  },
];

/** API document: "Create body". */
const newComputer = z.object({
  name: z.string().min(1).max(63),
  remoteUser: z.string().min(1).max(63),
  provider: z.enum(['byom', 'hosted']).optional(),
  hostId: z.uuid().optional(),
  repos: z.array(z.url().max(2_048)).max(20).optional(),
  autoInstallDeps: z.boolean().optional(),
});

const NEW_COMPUTERS: Readonly<Record<Edition, z.ZodType<Parameters<World['computers']['create']>[0]>>> = {
  contract: newComputer,
  // Whether names with capitals or spaces are refused is not public: the simulator's own choice.
  today: newComputer.extend({
    name: z
      .string()
      .min(1)
      .max(63)
      .regex(/^[a-z0-9-]+$/, 'lowercase letters, digits and hyphens only'),
    provider: z.enum(['byom', 'e2b']).optional(),
  }),
};

const newLimits = (limit: z.ZodType<number | null>) =>
  z.object({
    users: z
      .array(z.object({ email: z.string(), limit }))
      .min(1)
      .max(100),
  });

const NEW_LIMITS = {
  /** API document: "users (array, required, 1-100 entries; each {email: string, limit: number})". */
  contract: newLimits(z.number()),
  /** Documented today: whole numbers, at least a million; `null` removes an own limit. */
  today: newLimits(z.int().min(1_000_000).nullable()),
};

function requireComputer(computer: Record<string, unknown> | undefined): Record<string, unknown> {
  if (!computer) throw notFound('No such computer');
  return computer;
}

function answerReports({ seed, clock, edition, revisedReports }: World, { query }: RouteRequest): Reply {
  const limit = readLimit(query, { most: Number.MAX_SAFE_INTEGER, fallback: 25 });
  const reports = readinessReports(seed, clock.now(), edition, query.get('repoId') ?? undefined).map((report) =>
    revisedReports.has(report.reportId) ? passingAll(report) : report,
  );
  const startAfter = query.get('startAfter');
  const last = startAfter === null ? -1 : reports.findIndex((report) => report.reportId === startAfter);
  if (startAfter !== null && last === -1) throw badRequest('startAfter is not a report of this list');
  return { status: 200, body: { reports: reports.slice(last + 1, last + 1 + limit) } };
}

const roleFilter = z.enum(['user', 'assistant', 'tool']).nullable();

function answerMessages({ sessions, computers }: World, { query, path }: RouteRequest): Reply {
  const limit = readLimit(query, { most: 100, fallback: 20 });
  const role = roleFilter.safeParse(query.get('role'));
  if (!role.success) throw badRequest('role must be user, assistant or tool');
  const session = sessions.get(path['sessionId'] ?? '');
  if (!session) throw notFound('No such session');
  const computerId = query.get('computerId');
  if (computerId !== null && !computers.get(computerId)) throw notFound('No such computer');

  const chosen = session.messages.filter((message) => role.data === null || message.role === role.data);
  const { page, pagination } = cutPage(chosen, { limit, cursor: query.get('cursor') });
  return { status: 200, body: { messages: page.map(({ wire }) => wire), pagination } };
}
