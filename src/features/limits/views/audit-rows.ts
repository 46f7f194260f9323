import type { PolicyVersion } from '../core/request-policies.ts';
import { batchesOf, eachInTurns } from '../../../core/base/time/turns.ts';
import { BOT_ACTOR, type AuditEntry } from '../../../core/store/audit.ts';
import { NO_OWN_LIMIT } from '../core/amount-rule.ts';
import { auditSubject } from '../core/ids.ts';
import type { LedgerEntry, LimitDatabase, LimitDeclaration, LimitPerson, LimitRequest } from '../core/limit-tables.ts';

/** `none`: no limit of their own. */
export type AuditAmount = number | typeof NO_OWN_LIMIT | undefined;

const amountOr = (removes: number | null, amount: number | null): AuditAmount =>
  amount === null ? undefined : removes === 1 ? NO_OWN_LIMIT : amount;

/** One line of the file: a step of a request, for one of its people if their amounts belong to it. */
export interface AuditRow {
  at: string;
  /** The id of the request, or what was changed, such as `policy-k7m2`. */
  about: string;
  /** A Slack id, or `quartermaster`. */
  actor: string;
  what: string;
  detail: string;
  email: string;
  before: number | undefined;
  /** The limit before was declared, not set here. */
  isDeclaredBefore: boolean;
  requested: AuditAmount;
  approved: AuditAmount;
  set: AuditAmount;
  /** When a raise ends, and the limit afterwards. */
  until: string;
  afterwards: number | undefined;
  outcome: string;
  requester: string;
  /** Slack ids of the admins who decided it. */
  deciders: readonly string[];
  policy: string;
}

export interface AuditFacts {
  entries: readonly AuditEntry[];
  requests: ReadonlyMap<string, LimitRequest>;
  people: ReadonlyMap<string, readonly LimitPerson[]>;
  /** By request and e-mail. */
  ledger: ReadonlyMap<string, LedgerEntry>;
  /** The file has the limits that were set from `from` until just before `before`. */
  from: string;
  before: string;
  declarations: readonly LimitDeclaration[];
}

/** Which amounts are known at a step: after the request, after its decision, and after its last sending. */
type Stage = 'requested' | 'decided' | 'ended';

const STAGES: Readonly<Record<string, Stage>> = {
  asked: 'requested',
  'asked for others': 'requested',
  withdrawn: 'requested',
  denied: 'requested',
  expired: 'requested',
  'handed back': 'requested',
  'first approval': 'decided',
  approved: 'decided',
  'granted by a policy': 'decided',
  'going back': 'decided',
  undo: 'decided',
  withheld: 'decided',
  retried: 'decided',
  'sent after all': 'decided',
  left: 'ended',
  applied: 'ended',
  'partly applied': 'ended',
  'outcome unknown': 'ended',
};

/** Nothing was approved. */
const CLOSED: ReadonlySet<string> = new Set(['denied', 'withdrawn', 'expired']);

const ENDINGS: ReadonlySet<string> = new Set(['left', 'applied', 'partly applied', 'outcome unknown']);

const requestOf = ({ about }: Pick<AuditEntry, 'about'>): string => about.replace(auditSubject(''), '');

const DECLARED = auditSubject('declared');

/** Returns the steps, oldest first. A limit that was set always has a line, also if its steps were deleted. */
export async function auditRows(facts: AuditFacts): Promise<AuditRow[]> {
  const lastEndings = new Map(
    facts.entries.filter(({ action }) => ENDINGS.has(action)).map((entry) => [requestOf(entry), entry]),
  );
  const rows: AuditRow[] = [];
  for await (const some of eachInTurns(batchesOf(facts.entries, { maxItems: ENTRIES_A_TURN }))) {
    for (const entry of some) rows.push(...rowsOfEntry(entry, facts, lastEndings.get(requestOf(entry)) === entry));
  }
  const shown = new Set(rows.flatMap(({ about, email, set }) => (set === undefined ? [] : [keyOf(about, email)])));
  const others = [...facts.ledger]
    .filter(([key, { setAt }]) => !shown.has(key) && setAt >= facts.from && setAt < facts.before)
    .map(([, entry]) => ledgerRow(entry, facts));
  return [...rows, ...others].toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}

const ENTRIES_A_TURN = 200;

const keyOf = (requestId: string, email: string) => `${requestId} ${email}`;

function rowsOfEntry(entry: AuditEntry, facts: AuditFacts, isLastEnding: boolean): AuditRow[] {
  const id = requestOf(entry);
  const step = { at: entry.at, about: id, actor: entry.actor, what: entry.action, detail: entry.detail ?? '' };
  if (entry.about === DECLARED) {
    const declared = facts.declarations.filter(
      ({ declaredAt, declaredBy }) => declaredAt === entry.at && declaredBy === entry.actor,
    );
    return declared.length === 0 ? [{ ...EMPTY, ...step }] : declared.map((one) => declarationRow(one, step));
  }
  const request = facts.requests.get(id);
  const stage = STAGES[entry.action];
  const people = facts.people.get(id) ?? [];
  if (!request || people.length === 0 || !stage)
    return [{ ...EMPTY, ...step, ...(request ? whoDecided(request) : {}) }];
  // The second admin may have lowered the amounts of the first approval, which its detail still names.
  const isReplaced = entry.action === 'first approval' && request.state !== 'second_approval';
  // An undone request has the step, too; its undo is a request of its own.
  return people.map((person) => ({
    ...EMPTY,
    ...step,
    ...whoDecided(request),
    ...amountsAt(stage, person, request, facts, isLastEnding, isReplaced),
    ...(stage === 'requested' && CLOSED.has(entry.action) ? { outcome: entry.action } : {}),
  }));
}

const EMPTY: AuditRow = {
  at: '',
  about: '',
  actor: '',
  what: '',
  detail: '',
  email: '',
  before: undefined,
  isDeclaredBefore: false,
  requested: undefined,
  approved: undefined,
  set: undefined,
  until: '',
  afterwards: undefined,
  outcome: '',
  requester: '',
  deciders: [],
  policy: '',
};

/** A policy decides under its name; a lead decides for one. */
function whoDecided({ requester, firstApprovedBy, decidedBy, policyId, policyName, policyVersion }: LimitRequest) {
  const deciders = [firstApprovedBy, decidedBy].flatMap((one) => (one === null || one === BOT_ACTOR ? [] : one));
  const policy = policyId === null ? '' : policyWords({ policyId, policyName, policyVersion });
  return { requester, deciders, policy };
}

export const policyWords = ({ policyId, policyName, policyVersion }: PolicyVersion): string =>
  `${policyName ?? ''} (${policyId}), version ${policyVersion ?? 0}`;

function amountsAt(
  stage: Stage,
  person: LimitPerson,
  request: LimitRequest,
  { ledger, from, before: end }: AuditFacts,
  isLastEnding: boolean,
  isReplaced: boolean,
): Partial<AuditRow> {
  const { email, fromValue, fromDeclared, toValue, approvedValue, returnValue, removes } = person;
  const entry = isLastEnding ? ledger.get(keyOf(request.id, email)) : undefined;
  const before = entry ? (entry.valueBefore ?? fromDeclared) : (fromValue ?? fromDeclared);
  return {
    email,
    before: before ?? undefined,
    isDeclaredBefore: before !== null && (entry ? entry.valueBefore : fromValue) === null,
    requested: amountOr(removes, toValue),
    until: request.until ?? '',
    afterwards: returnValue ?? undefined,
    ...(stage === 'requested' || isReplaced ? {} : { approved: amountOr(removes, approvedValue) }),
    ...(stage === 'ended' && isLastEnding
      ? {
          // A retry may have set it later, and the limits of other days are in the files of those days.
          set: entry && entry.setAt >= from && entry.setAt < end ? amountOr(entry.removed, entry.value) : undefined,
          outcome:
            entry && entry.setAt >= end
              ? 'set later'
              : [person.state.replace('_', ' '), person.error ?? ''].filter(Boolean).join(': '),
        }
      : {}),
  };
}

function ledgerRow(entry: LedgerEntry, { requests, people }: AuditFacts): AuditRow {
  const { requestId, email, value, removed, valueBefore, setAt, askedBy, approvedBy } = entry;
  const request = requests.get(requestId);
  const person = people.get(requestId)?.find((one) => one.email === email);
  return {
    ...EMPTY,
    at: setAt,
    about: requestId,
    actor: 'quartermaster',
    what: 'set',
    email,
    before: valueBefore ?? undefined,
    ...(person
      ? {
          requested: amountOr(person.removes, person.toValue),
          approved: amountOr(person.removes, person.approvedValue),
        }
      : {}),
    set: amountOr(removed, value),
    outcome: 'set',
    ...(request ? whoDecided(request) : { requester: askedBy, deciders: [approvedBy] }),
  };
}

function declarationRow(
  { email, value, valueBefore }: LimitDeclaration,
  step: Pick<AuditRow, 'at' | 'about' | 'actor' | 'what' | 'detail'>,
): AuditRow {
  return {
    ...EMPTY,
    ...step,
    what: value === null ? 'declaration removed' : 'declared',
    email: email === '*' ? 'everybody' : email,
    before: valueBefore ?? undefined,
    isDeclaredBefore: valueBefore !== null,
    requested: value ?? undefined,
    outcome: 'not sent to the platform',
  };
}

const ROWS_A_QUERY = 500;

/** Reads what the steps are about: their requests and people, what was set in the period, and declarations. */
export async function readAuditFacts(
  db: LimitDatabase,
  entries: readonly AuditEntry[],
  { from, before }: Pick<AuditFacts, 'from' | 'before'>,
): Promise<AuditFacts> {
  const ids = [...new Set(entries.map((entry) => requestOf(entry)))];
  const inPeriod = await db
    .selectFrom('limitLedger')
    .selectAll()
    .where('setAt', '>=', from)
    .where('setAt', '<', before)
    .execute();
  const requests = new Map<string, LimitRequest>();
  const people: LimitPerson[] = [];
  const ledger = new Map(inPeriod.map((entry) => [keyOf(entry.requestId, entry.email), entry]));
  const allIds = [...new Set([...ids, ...inPeriod.map(({ requestId }) => requestId)])];
  for (const piece of batchesOf(allIds, { maxItems: ROWS_A_QUERY })) {
    const found = await db.selectFrom('limitRequests').selectAll().where('id', 'in', piece).execute();
    for (const request of found) requests.set(request.id, request);
    people.push(
      ...(await db
        .selectFrom('limitRequestPeople')
        .selectAll()
        .where('requestId', 'in', piece)
        .orderBy('position')
        .execute()),
    );
    for (const entry of await db.selectFrom('limitLedger').selectAll().where('requestId', 'in', piece).execute())
      ledger.set(keyOf(entry.requestId, entry.email), entry);
  }
  const declarations = await db
    .selectFrom('limitDeclarations')
    .selectAll()
    .where('declaredAt', '>=', from)
    .where('declaredAt', '<', before)
    .orderBy('email')
    .execute();
  return {
    entries,
    requests,
    people: Map.groupBy(people, ({ requestId }) => requestId),
    ledger,
    from,
    before,
    declarations,
  };
}
