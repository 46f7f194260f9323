import { askNextApproverInTime } from '../approvers/ask-approvers.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { announceRequest, announceToSession, wasAnnounced, type CardTarget } from '../core/notify.ts';
import { takeShortId } from '../../../core/base/text/short-id.ts';
import type { LimitTransaction } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { findBySession, insertRequest, type RequestContents } from '../core/requests.ts';

const ID_LENGTH = 5;

/**
 * Creates the request and its card; neither if `alsoInTransaction` returns `false`. Policies need no card. For a session
 * that has a request, returns its id.
 */
export async function makeRequest(
  deps: LimitDeps,
  target: CardTarget,
  person: Person,
  contents: RequestContents,
  alsoInTransaction: (trx: LimitTransaction) => Promise<boolean> = () => Promise.resolve(true),
): Promise<string | undefined> {
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + deps.config.limitsExpireHours * HOUR_MS);
  const decide = await deps.policies.prepare(contents);
  const created = await deps.db.transaction().execute(async (trx) => {
    if (!(await alsoInTransaction(trx))) return undefined;
    return takeShortId(deps.random, ID_LENGTH, async (id) => {
      const request = { ...contents, id, requester: person.slackId, requesterEmail: person.email };
      if (await wasAnnounced(trx, id)) return undefined;
      if (!(await insertRequest(trx, request, now, expiresAt))) {
        const earlier = contents.sessionKey === undefined ? undefined : await findBySession(trx, contents.sessionKey);
        return earlier?.id;
      }
      await announceToSession(trx, id, now);
      const isGranted = decide !== undefined && (await decide(trx, request, now));
      if (!isGranted) await announceRequest(trx, { requestId: id }, target, now);
      return id;
    });
  });
  if (created !== undefined) await askNextApproverInTime(deps, created);
  return created;
}
