import { createCapabilities } from '../../../src/core/platform/capabilities/capabilities.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import type { UserLimit } from '../../../src/core/platform/endpoints/limits.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/durations.ts';
import { overrideStoreTime } from '../../../src/core/store/lease.ts';
import type { PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { makeRequest } from '../../../src/features/limits/ask/create.ts';
import { validateInput, readInputFacts } from '../../../src/features/limits/ask/validate-input.ts';
import { emailsOf } from '../../../src/features/limits/core/ledger.ts';
import { findRequest, listRequests, peopleOf } from '../../../src/features/limits/core/requests.ts';
import { readSeenLimits } from '../../../src/features/limits/core/seen-limits.ts';
import { announceLimitChanges } from '../../../src/features/limits/drift/limit-changes.ts';
import { moveRequest } from '../../../src/features/limits/decide/decide.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { PLACE } from '../../support/limits/limit-model.ts';
import {
  activeOf,
  ADMINS,
  declare,
  emailOf,
  FIRST_LIMITS,
  memberId,
  policyPerson,
  policyReplica,
  RAISES,
  runJobs,
  worldOf,
} from '../../support/limits/policy-scene.ts';

const START = new Date('2026-03-10T09:00:00Z');

/** How the platform answers when it is asked for the limits in force. */
export type Answers = 'shows' | 'gone' | 'refuses' | 'breaks';

export type InForceStep =
  | { kind: 'answers'; answers: Answers }
  /** The answers change after so many more calls, within a request, an approval or a job. */
  | { kind: 'answers_later'; answers: Answers; calls: number }
  | { kind: 'elsewhere'; member: number; value: number | null }
  | { kind: 'everybody'; value: number | null }
  | { kind: 'ask'; member: number; amount: number; hours: number | null }
  /** An admin requests that a person has no own limit. */
  | { kind: 'remove'; member: number }
  /** `meanwhile`: the limit of the first person changes while the form is open. */
  | { kind: 'approve'; request: number; meanwhile: number | null }
  | { kind: 'retry' | 'undo'; request: number }
  | { kind: 'put'; outcome: 'lost_before' | 'lost_after' | 'refused' }
  | { kind: 'declare'; isDeclared: boolean }
  | { kind: 'wait'; hours: number };

/** What the platform holds, what people saw of it, and the promises that were broken. */
export interface InForcePlay {
  db: PolicyDatabase;
  clock: MovableClock;
  run: (step: InForceStep) => Promise<void>;
  faults: string[];
  counts: { puts: number; removals: number; wantedRemovals: number; held: number; told: number; grants: number };
}

/** The oracle: it knows nothing of how the bot decides. */
function createPlatform(clock: MovableClock) {
  const own = new Map<string, number>();
  let everybody: number | null = 1_000;
  let answers: Answers = 'shows';
  let later: { answers: Answers; calls: number } | undefined;
  let outcome: 'lost_before' | 'lost_after' | 'refused' | undefined;
  let lastGet: { answers: Answers; at: number } | undefined;
  let goneSince: number | undefined;
  let everShown = false;
  const faults: string[] = [];
  const counts = { puts: 0, removals: 0 };
  /** Limits that an admin saw in force before deciding, and those that the bot set itself. */
  const seen = new Set<string>();
  const effective = (email: string) => own.get(email) ?? everybody ?? Infinity;
  const textIn = (limits: { everybody: number | null; own: ReadonlyMap<string, number> }, email: string) => {
    if (limits.own.has(email)) return `own ${limits.own.get(email)}`;
    return limits.everybody === null ? 'unlimited' : `everybody ${limits.everybody}`;
  };
  const textOf = (email: string) => textIn({ everybody, own }, email);
  let lastShown: Parameters<typeof textIn>[0] | undefined;
  const tick = () => {
    if (!later) return;
    later.calls -= 1;
    if (later.calls < 0) {
      ({ answers } = later);
      later = undefined;
    }
  };
  const error = (
    code: ConstructorParameters<typeof PlatformError>[0]['code'],
    status?: number,
    outcomeUnknown = false,
  ) => new PlatformError({ code, status, method: 'GET', path: '/limits', detail: '', outcomeUnknown });
  const check = ({ email, limit }: UserLimit) => {
    const now = clock.now().getTime();
    const isHidden =
      lastGet?.answers === 'gone' && (!everShown || (goneSince !== undefined && now - goneSince >= DAY_MS));
    const isContract = isHidden || lastGet?.answers === 'refuses' || lastGet === undefined;
    if (!isContract && lastGet?.answers !== 'shows')
      faults.push(`${email}: set to ${limit} after the platform answered “${lastGet?.answers}”`);
    // Nobody asks for it; a removal is stored so.
    if (limit === 0) faults.push(`${email}: set to 0`);
    if (limit === null && lastGet?.answers !== 'shows') faults.push(`${email}: removed without a reading`);
    const after = limit ?? everybody ?? Infinity;
    if (!isContract && after < effective(email) && !seen.has(`${email} ${textOf(email)}`))
      faults.push(`${email}: ${textOf(email)} lowered to ${limit}, which nobody saw`);
  };
  return {
    own,
    faults,
    counts,
    seen,
    textOf,
    /** While it does not show limits, people see the last one, with its time. */
    shownText: (email: string) => (answers === 'shows' || !lastShown ? textOf(email) : textIn(lastShown, email)),
    setElsewhere: (email: string, value: number | null) => {
      if (value === null) own.delete(email);
      else own.set(email, value);
    },
    setEverybody: (value: number | null) => (everybody = value),
    answer: (next: Answers) => {
      answers = next;
      later = undefined;
    },
    answerLater: (next: { answers: Answers; calls: number }) => (later = { ...next }),
    nextPut: (next: typeof outcome) => (outcome = next),
    read: () => {
      tick();
      const at = clock.now().getTime();
      lastGet = { answers, at };
      goneSince = answers === 'gone' ? (goneSince ?? at) : answers === 'breaks' ? goneSince : undefined;
      if (answers === 'shows') {
        everShown = true;
        lastShown = { everybody, own: new Map(own) };
      }
      if (answers === 'gone') return Promise.reject(error('not_found', 404));
      if (answers === 'refuses') return Promise.reject(error('forbidden', 403));
      if (answers === 'breaks') return Promise.reject(error('server_error', 503));
      return Promise.resolve({ everybody, own: new Map(own) });
    },
    set: (limits: readonly UserLimit[]) => {
      tick();
      const how = outcome;
      outcome = undefined;
      if (how === 'refused') return Promise.reject(error('rate_limited', 429));
      for (const limit of limits) check(limit);
      if (how === 'lost_before') return Promise.reject(error('timeout', undefined, true));
      for (const { email, limit } of limits) {
        counts.puts += 1;
        if (limit === null) {
          counts.removals += 1;
          own.delete(email);
        } else own.set(email, limit);
        seen.add(`${email} ${textOf(email)}`);
      }
      if (how === 'lost_after') return Promise.reject(error('timeout', undefined, true));
      return Promise.resolve({ updated: limits.map((limit) => ({ ...limit })), errors: [] });
    },
  };
}

export async function startInForcePlay(db: PolicyDatabase): Promise<InForcePlay> {
  for (const table of TABLES) await db.deleteFrom(table).execute();
  const readings = db.withTables<{ platformLimits: object; platformCapabilities: object }>();
  await readings.deleteFrom('platformLimits').execute();
  await readings.deleteFrom('platformCapabilities').execute();
  const clock = createMovableClock(START, { frozen: true });
  overrideStoreTime(db, () => clock.now());
  const platform = createPlatform(clock);
  const capabilities = createCapabilities({
    platform: { shownLimits: { read: () => platform.read() }, roster: { read: () => Promise.resolve([]) } },
    db,
    clock,
    log: createLogger('silent', []),
  });
  const world = worldOf({ seen: new Map([[memberId(4), '2026-03-08']]) });
  const replica = policyReplica(db, clock, world, () => Promise.reject(new Error('not used')), undefined, {
    platform: { limits: { setUserLimits: (limits) => platform.set(limits) } },
    capabilities,
  });
  const { deps, applier } = replica;
  const counts = { ...platform.counts, wantedRemovals: 0, held: 0, told: 0, grants: 0 };
  const play: InForcePlay = { db, clock, faults: platform.faults, counts, run: () => Promise.resolve() };
  await capabilities.askIfDue();
  await activeOf(deps, { ...RAISES, percent: 100, times: 5 });
  await activeOf(deps, { ...FIRST_LIMITS, limit: 1_500 }, 'First limits');
  const foreign = new Map<string, number>();
  const note = (key: string) => foreign.set(key, (foreign.get(key) ?? 0) + 1);
  const pass = (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms));

  /** What an admin sees when a form or a card shows limits that the platform shows. */
  const look = (people: readonly { email: string }[]) => {
    for (const { email } of people) platform.seen.add(`${email} ${platform.shownText(email)}`);
  };
  /** The end of an approved limit may replace it, also if somebody else has set the same one. */
  const approved = (email: string, value: number) => platform.seen.add(`${email} own ${value}`);
  const choose = async (states: Parameters<typeof listRequests>[1], index: number) => {
    const requests = await listRequests(db, states);
    return requests[index % requests.length];
  };
  const ask = async ({ member, amount, hours }: Extract<InForceStep, { kind: 'ask' }>) => {
    const person = policyPerson(memberId(member));
    const until = hours === null ? undefined : new Date(clock.now().getTime() + hours * HOUR_MS);
    const input = { people: [], emails: '', amount: String(amount), reason: 'x', until, back: until ? '500' : '' };
    const full = { ...input, ending: until ? ('other' as const) : ('none' as const) };
    const read = await readInputFacts(deps, full, person);
    const facts = { ...read, rule: { ...read.rule, minimum: 0, isWhole: false } };
    const typed = validateInput(full, facts);
    const isReturnKnown = typed.problems.back?.startsWith('Clear this') === true;
    const valid = isReturnKnown ? validateInput({ ...full, back: '' }, facts) : typed;
    if (Object.keys(valid.problems).length > 0) return;
    const id = await makeRequest(deps, PLACE, person, { kind: 'ask', reason: 'x', until, people: valid.people });
    const request = id === undefined ? undefined : await findRequest(db, id);
    if (!request || request.policyId === null) return;
    play.counts.grants += 1;
    approved(person.email ?? '', amount);
    await applier.apply(request);
  };
  const remove = async ({ member }: Extract<InForceStep, { kind: 'remove' }>) => {
    const admin = policyPerson(ADMINS[0]);
    const { email = '' } = policyPerson(memberId(member));
    const input = { people: [], emails: email, amount: 'none', reason: 'x', until: undefined, back: '' };
    const full = { ...input, ending: 'none' as const };
    const valid = validateInput(full, await readInputFacts(deps, full, admin));
    if (Object.keys(valid.problems).length > 0) return;
    play.counts.wantedRemovals += 1;
    await makeRequest(deps, PLACE, admin, { kind: 'ask', reason: 'x', until: undefined, people: valid.people });
  };
  const approve = async ({ request: index, meanwhile }: Extract<InForceStep, { kind: 'approve' }>) => {
    const request = await choose(['pending', 'handed_on'], index);
    if (!request) return;
    const people = await peopleOf(db, request.id);
    // The form is opened, and shows a reading that may be a minute old.
    pass(61_000);
    const opened = await readSeenLimits(deps, people, 60_000);
    look(people);
    if (meanwhile !== null)
      for (const email of emailsOf(people)) {
        platform.setElsewhere(email, meanwhile);
        note(`${email} own ${meanwhile}`);
      }
    pass(1_000);
    const submitted = await readSeenLimits(deps, people, 0);
    // The handler shows the form again, and the admin looks at it.
    if (submitted.seen !== undefined && submitted.seen !== opened.seen) return;
    for (const { email, toValue } of people) approved(email, toValue);
    const decision = { kind: 'approve', ...AS_REQUESTED, seen: submitted.texts } as const;
    await moveRequest(deps, request.id, policyPerson(ADMINS[1]), decision);
    await applier.apply(request);
  };
  const resume = async ({ kind, request: index }: Extract<InForceStep, { kind: 'retry' | 'undo' }>) => {
    const request = await choose(['applied', 'partly_applied', 'outcome_unknown', 'unsure'], index);
    if (!request) return;
    // The card shows the limit of each person that is held.
    for (const { email, error, shownBefore } of await peopleOf(db, request.id))
      if (error?.startsWith('The platform now shows')) {
        play.counts.held += 1;
        platform.seen.add(`${email} ${shownBefore}`);
      }
    await moveRequest(deps, request.id, policyPerson(ADMINS[1]), { kind });
    const undoing = kind === 'undo' ? await findRequest(db, `${request.id}-undo`) : request;
    if (undoing) await applier.apply(undoing);
  };
  const jobs = async () => {
    await capabilities.askIfDue();
    await runJobs(replica);
    await announceLimitChanges(deps, () => Promise.resolve(PLACE));
  };
  const once = async () => {
    const rows = await db.selectFrom('deliveries').select('payload').where('kind', '=', 'limit-changes').execute();
    const told = new Map<string, number>();
    for (const { payload } of rows)
      for (const { email, now } of JSON.parse(payload).changes) {
        const key = `${email} ${now}`;
        told.set(key, (told.get(key) ?? 0) + 1);
      }
    play.counts.told = [...told.values()].reduce((sum, one) => sum + one, 0);
    for (const [key, times] of told)
      if (times > (foreign.get(key) ?? 0))
        platform.faults.push(`told ${times} times, changed ${foreign.get(key) ?? 0}: ${key}`);
  };

  play.run = async (step) => {
    pass(61_000);
    switch (step.kind) {
      case 'answers':
        platform.answer(step.answers);
        break;
      case 'answers_later':
        platform.answerLater(step);
        break;
      case 'elsewhere': {
        const email = emailOf(memberId(step.member));
        platform.setElsewhere(email, step.value);
        note(`${email} ${step.value === null ? 'absent' : `own ${step.value}`}`);
        break;
      }
      case 'everybody':
        platform.setEverybody(step.value);
        note(`* ${step.value === null ? 'unlimited' : `everybody ${step.value}`}`);
        break;
      case 'ask':
        await ask(step);
        break;
      case 'remove':
        await remove(step);
        break;
      case 'approve':
        await approve(step);
        break;
      case 'retry':
      case 'undo':
        await resume(step);
        break;
      case 'put':
        platform.nextPut(step.outcome);
        break;
      case 'declare':
        await declare(deps, step.isDeclared);
        break;
      case 'wait':
        pass(step.hours * HOUR_MS);
        await jobs();
        break;
      default:
        step satisfies never;
    }
    await once();
    Object.assign(play.counts, platform.counts);
  };
  return play;
}

const AS_REQUESTED = {
  comment: '',
  isConfirmed: true,
  lowered: new Map(),
  leftOut: new Set<string>(),
  returns: new Map(),
  highestReturn: undefined,
};

const TABLES = [
  'limitLedger',
  'limitRequestPeople',
  'limitRequests',
  'limitPolicies',
  'limitPolicyVersions',
  'limitPolicyDecisions',
  'limitPolicySettings',
  'deliveries',
  'audit',
] as const;
