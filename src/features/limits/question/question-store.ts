import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { audit } from '../../../core/store/audit.ts';
import { auditSubject } from '../core/ids.ts';
import { involvementOf, isActor } from '../core/access.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { announceAnswer, announceQuestion } from '../core/notify.ts';
import { findRequest, ownRowsOf } from '../core/requests.ts';
import type { LimitDatabase, LimitQuestion, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import { extentOf } from '../core/visible.ts';
import { whyNotAnswered, whyNotAsked, type AnswerRefusal, type AskRefusal } from './rules.ts';

type Acceptance = { kind: 'done'; request: LimitRequest; question: LimitQuestion };
type Rejection<Refusal> = { kind: 'refused'; reason: Refusal; request: LimitRequest } | { kind: 'unknown' };
export type QuestionRejection = Rejection<AskRefusal>;
export type AnswerRejection = Rejection<AnswerRefusal>;

const UNKNOWN = { kind: 'unknown' } as const;

export async function findQuestion(db: LimitDatabase, id: string): Promise<LimitQuestion | undefined> {
  return db.selectFrom('limitQuestions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a question may be asked now. Checked for the form, and again in the transaction that stores it. */
export async function checkQuestion(
  db: LimitDatabase,
  requestId: string,
  person: FreshPerson,
  now: Date,
): Promise<{ kind: 'may'; request: LimitRequest } | QuestionRejection> {
  const request = await findRequest(db, requestId);
  if (!request) return UNKNOWN;
  const own = await ownRowsOf(db, requestId, person);
  if (!extentOf(request, own.length, person)) return UNKNOWN;
  const { count } = await db
    .selectFrom('limitQuestions')
    .select((select) => select.fn.countAll().as('count'))
    .where('requestId', '=', requestId)
    .executeTakeFirstOrThrow();
  const involvement = involvementOf(request, own.length, person);
  const reason = whyNotAsked(factsOf(request), { by: person, involvement, questionCount: Number(count) }, now);
  return reason ? { kind: 'refused', reason, request } : { kind: 'may', request };
}

const factsOf = ({ state, expiresAt }: LimitRequest) => ({ state, expiresAt: new Date(expiresAt) });

/** Stores a question with its delivery. A form submitted twice asks once. @param id chosen when the form was opened */
export async function askQuestion(
  { db, clock }: Pick<LimitDeps, 'db' | 'clock'>,
  { id, requestId, text }: { id: string; requestId: string; text: string },
  person: FreshPerson,
): Promise<Acceptance | QuestionRejection> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    await lockRequest(trx, requestId);
    const existing = await findQuestion(trx, id);
    if (existing) {
      const request = await findRequest(trx, requestId);
      const isOwn = existing.requestId === requestId && existing.askedBy === person.slackId;
      return request && isOwn ? { kind: 'done', request, question: existing } : UNKNOWN;
    }
    const check = await checkQuestion(trx, requestId, person, now);
    if (check.kind !== 'may') return check;
    const question = await trx
      .insertInto('limitQuestions')
      .values({ id, requestId, question: text, askedBy: person.slackId, askedAt: now.toISOString() })
      .returningAll()
      .executeTakeFirstOrThrow();
    const entry = { about: auditSubject(requestId), actor: person.slackId, action: 'asked a question', detail: text };
    await audit(trx, entry, now);
    await announceQuestion(trx, id, check.request.requester, now);
    return { kind: 'done', request: check.request, question };
  });
}

/** Locks the request, so that it is not decided between the check and its consequences. */
async function lockRequest(trx: LimitTransaction, id: string): Promise<void> {
  await trx
    .updateTable('limitRequests')
    .set((set) => ({ version: set.ref('version') }))
    .where('id', '=', id)
    .execute();
}

/** Whether an answer may be given now. Checked for the form, and again in the transaction that stores it. */
export async function checkAnswer(
  db: LimitDatabase,
  id: string,
  person: FreshPerson,
  now: Date,
): Promise<Acceptance | AnswerRejection> {
  const question = await findQuestion(db, id);
  const request = question && (await findRequest(db, question.requestId));
  if (!question || !request) return UNKNOWN;
  const own = await ownRowsOf(db, request.id, person);
  if (!extentOf(request, own.length, person)) return UNKNOWN;
  const isRequester = isActor({ slackId: request.requester, email: request.requesterEmail }, person);
  const reason = whyNotAnswered(factsOf(request), { isRequester, isAnswered: question.answer !== null }, now);
  return reason ? { kind: 'refused', reason, request } : { kind: 'done', request, question };
}

/** Stores the first answer, with its deliveries to every copy of the card. */
export async function answerQuestion(
  { db, clock }: Pick<LimitDeps, 'db' | 'clock'>,
  { id, text }: { id: string; text: string },
  person: FreshPerson,
): Promise<Acceptance | AnswerRejection> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const existing = await findQuestion(trx, id);
    if (existing) await lockRequest(trx, existing.requestId);
    const check = await checkAnswer(trx, id, person, now);
    if (check.kind !== 'done') return check;
    const { request } = check;
    const question = await trx
      .updateTable('limitQuestions')
      .set({ answer: text, answeredBy: person.slackId, answeredAt: now.toISOString() })
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
