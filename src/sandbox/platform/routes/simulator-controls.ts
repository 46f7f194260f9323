import { z } from 'zod';
import { dayName, isDay } from '../model/calendar.ts';
import { COVERAGE } from '../coverage.ts';
import { FAULT_KINDS } from '../server/faults.ts';
import { yesterday } from '../model/figures.ts';
import { Refusal, type Reply, notFound, readBody } from './route.ts';
import type { ServerParts } from '../server/server-parts.ts';

const LAST_REQUESTS = 50;

const revision = z.object({ settings: z.record(z.string(), z.unknown()), email: z.email().optional() });
const revise = z.object({ factor: z.number().positive().max(1_000) });
const fault = z.object({
  match: z.object({ method: z.string().optional(), path: z.string().optional() }).optional(),
  kind: z.enum(FAULT_KINDS),
  times: z.int().positive().optional(),
  probability: z.number().min(0).max(1).optional(),
  status: z.int().min(200).max(599).optional(),
  retryAfter: z.union([z.string(), z.number()]).optional(),
  delayMs: z.number().min(0).max(600_000).optional(),
});
const mood = z.object({ mood: z.literal('worst') });

/**
 * Answers `/_sandbox/...`, which controls the simulator from outside. It needs no key, since it only listens on this machine.
 *
 * @example
 * // curl -X POST http://127.0.0.1:4010/_sandbox/days/2026-03-02/revise -d '{"factor": 1.1}'
 */
export function answerControl(parts: ServerParts, method: string, pathname: string, body: unknown): Reply {
  try {
    const day = /^\/_sandbox\/days\/([^/]+)\/(hold|release|revise)$/.exec(pathname);
    if (day && method === 'POST') return controlDay(parts, day[1] ?? '', day[2] ?? '', body);
    const control = CONTROLS[`${method} ${pathname}`];
    if (!control) throw notFound('No such control');
    return control(parts, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, title, message } = error;
    return { status, body: { title, detail: message, status } };
  }
}

const CONTROLS: Readonly<Record<string, (parts: ServerParts, body: unknown) => Reply>> = {
  'GET /_sandbox/state': (parts) => ({ status: 200, body: describeState(parts) }),
  'GET /_sandbox/coverage': () => ({ status: 200, body: { coverage: COVERAGE } }),
  'POST /_sandbox/revisions': ({ world }, body) => {
    const change = world.controls.addRevision(readBody(revision, body));
    return { status: 201, body: { revision: change.revision } };
  },
  'POST /_sandbox/faults': ({ faults }, body) => {
    if (mood.safeParse(body).success) faults.addWorstMood();
    else faults.add(readBody(fault, body));
    return { status: 201, body: { faults: faults.list() } };
  },
  'DELETE /_sandbox/faults': ({ faults }) => {
    faults.clear();
    return { status: 200, body: { faults: [] } };
  },
};

function controlDay({ world: { figures } }: ServerParts, day: string, verb: string, body: unknown): Reply {
  if (!isDay(day)) throw new Refusal(400, 'Bad Request', 'The day must be YYYY-MM-DD');
  if (verb === 'hold') figures.holdDay(day);
  else if (verb === 'release') figures.releaseDay(day);
  else figures.reviseDay(day, readBody(revise, body).factor);
  return { status: 200, body: { heldDays: figures.heldDays(), revisedDays: figures.revisedDays() } };
}

function describeState({ world, faults, log }: ServerParts): Record<string, unknown> {
  const { clock, organization, figures, controls, limits, computers, sessions } = world;
  const last = yesterday(clock);
  return {
    now: clock.now().toISOString(),
    people: organization.people.length,
    yesterday: dayName(last),
    yesterdayPublished: figures.isPublished(last),
    heldDays: figures.heldDays(),
    revisedDays: figures.revisedDays(),
    latestRevision: controls.changes()[0]?.revision,
    limits: Object.fromEntries(limits.values),
    computers: computers.list(),
    sessions: [...sessions.values()].map(({ id, email, messages }) => ({ id, email, messages: messages.length })),
    faults: faults.list(),
    requests: log.entries
      .slice(-LAST_REQUESTS)
      .map(({ method, path, status, fault }) => ({ method, path, status, fault })),
  };
}
