import type { FreshPerson } from '../../slack/people/people.ts';
import { audit } from '../../store/audit.ts';
import { auditSubject } from '../core/ids.ts';
import { involvementOf, isActor } from '../core/access.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { announceAnswer, announceQuestion } from '../core/notify.ts';
import { findRequest, ownRowsOf } from '../core/requests.ts';
import type { LimitDatabase, LimitQuestion, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import { extentOf } from '../core/visible.ts';
import { whyNotAnswered, whyNotAsked, type AnswerRefusal, type AskRefusal } from './rules.ts';

type Done = { kind: 'done'; request: LimitRequest; question: LimitQuestion };
type NotDone<Refusal> = { kind: 'refused'; reason: Refusal; request: LimitRequest } | { kind: 'unknown' };
export type NotAsked = NotDone<AskRefusal>;
export type NotAnswered = NotDone<AnswerRefusal>;

const UNKNOWN = { kind: 'unknown' } as const;

export async function findQuestion(db: LimitDatabase, id: string): Promise<LimitQuestion | undefined> {
  return db.selectFrom('limit_questions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a question may be asked now. Checked for the form, and again in the transaction that stores it. */
export async function mayAsk(
  db: LimitDatabase,
  requestId: string,
  person: FreshPerson,
  now: Date,
): Promise<{ kind: 'may'; request: LimitRequest } | NotAsked> {
  const request = await findRequest(db, requestId);
  if (!request) return UNKNOWN;
  const own = await ownRowsOf(db, requestId, person);
  if (!extentOf(request, own.length, person)) return UNKNOWN;
  const { count } = await db
    .selectFrom('limit_questions')
    .select((select) => select.fn.countAll().as('count'))
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow();
  const involvement = involvementOf(request, own.length, person);
  const reason = whyNotAsked(factsOf(request), { by: person, involvement, asked: Number(count) }, now);
  return reason ? { kind: 'refused', reason, request } : { kind: 'may', request };
}

const factsOf = ({ state, expires_at: expiresAt }: LimitRequest) => ({ state, expiresAt: new Date(expiresAt) });

/**
 * Stores a question with its delivery. A form submitted twice asks once.
 *
 * @param id chosen when the form was opened
 */
export async function askQuestion(
  { db, clock }: Pick<LimitDeps, 'db' | 'clock'>,
  { id, requestId, text }: { id: string; requestId: string; text: string },
  person: FreshPerson,
): Promise<Done | NotAsked> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    await holdRequest(trx, requestId);
    const known = await findQuestion(trx, id);
    if (known) {
      const request = await findRequest(trx, requestId);
      const isOwn = known.request_id === requestId && known.asked_by === person.slackId;
      return request && isOwn ? { kind: 'done', request, question: known } : UNKNOWN;
    }
    const allowed = await mayAsk(trx, requestId, person, now);
    if (allowed.kind !== 'may') return allowed;
    const question = await trx
      .insertInto('limit_questions')
      .values({ id, request_id: requestId, question: text, asked_by: person.slackId, asked_at: now.toISOString() })
      .returningAll()
      .executeTakeFirstOrThrow();
    const entry = { about: auditSubject(requestId), actor: person.slackId, action: 'asked a question', detail: text };
    await audit(trx, entry, now);
    await announceQuestion(trx, id, allowed.request.requester, now);
    return { kind: 'done', request: allowed.request, question };
  });
}

/** Locks the request, so that it is not decided between the check and its consequences. */
async function holdRequest(trx: LimitTransaction, id: string): Promise<void> {
  await trx
    .updateTable('limit_requests')
    .set((set) => ({ version: set.ref('version') }))
    .where('id', '=', id)
    .execute();
}

/** Whether an answer may be given now. Checked for the form, and again in the transaction that stores it. */
export async function mayAnswer(
  db: LimitDatabase,
  id: string,
  person: FreshPerson,
  now: Date,
): Promise<Done | NotAnswered> {
  const question = await findQuestion(db, id);
  const request = question && (await findRequest(db, question.request_id));
  if (!question || !request) return UNKNOWN;
  const own = await ownRowsOf(db, request.id, person);
  if (!extentOf(request, own.length, person)) return UNKNOWN;
  const isRequester = isActor({ slackId: request.requester, email: request.requester_email }, person);
  const reason = whyNotAnswered(factsOf(request), { isRequester, isAnswered: question.answer !== null }, now);
  return reason ? { kind: 'refused', reason, request } : { kind: 'done', request, question };
}

/** Stores the first answer, with its deliveries to every copy of the card. */
export async function answerQuestion(
  { db, clock }: Pick<LimitDeps, 'db' | 'clock'>,
  { id, text }: { id: string; text: string },
  person: FreshPerson,
): Promise<Done | NotAnswered> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const known = await findQuestion(trx, id);
    if (known) await holdRequest(trx, known.request_id);
    const allowed = await mayAnswer(trx, id, person, now);
    if (allowed.kind !== 'done') return allowed;
    const { request } = allowed;
    const question = await trx
      .updateTable('limit_questions')
      .set({ answer: text, answered_by: person.slackId, answered_at: now.toISOString() })
      .where('id', '=', id)
      .where('answer', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!question) return { kind: 'refused', reason: 'answered', request };
    const entry = { about: auditSubject(request.id), actor: person.slackId, action: 'answered', detail: text };
    await audit(trx, entry, now);
    await announceAnswer(trx, { requestId: request.id, questionId: id }, now);
    return { kind: 'done', request, question };
  });
}
