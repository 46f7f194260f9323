import { askNextApproverInTime } from '../approvers/ask-approvers.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { announceRequest, wasAnnounced, type CardTarget } from '../core/notify.ts';
import { takeShortId } from '../../../core/base/text/short-id.ts';
import type { LimitTransaction } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { insertRequest, type RequestContents } from '../core/requests.ts';
import { applyDecision, decideInTurn } from '../../limit-policies/live/decide-request.ts';
import { readOutsideFacts } from '../../limit-policies/live/outside-facts.ts';
import { hasActive } from '../../limit-policies/store/policy-store.ts';

const ID_LENGTH = 5;

/** Creates the request and its card; neither if `alsoInTransaction` returns `false`. Policies need no card. */
export async function makeRequest(
  deps: LimitDeps,
  target: CardTarget,
  person: Person,
  contents: RequestContents,
  alsoInTransaction: (trx: LimitTransaction) => Promise<boolean> = () => Promise.resolve(true),
): Promise<string | undefined> {
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + deps.config.limitsExpireHours * HOUR_MS);
  const [only, ...others] = contents.people;
  const isForOne = contents.kind === 'ask' && only !== undefined && others.length === 0;
  const outside = isForOne && (await hasActive(deps.db)) ? await readOutsideFacts(deps, only) : undefined;
  const created = await deps.db.transaction().execute(async (trx) => {
    if (!(await alsoInTransaction(trx))) return undefined;
    return takeShortId(deps.random, ID_LENGTH, async (id) => {
      const request = { ...contents, id, requester: person.slackId, requesterEmail: person.email };
      if (await wasAnnounced(trx, id)) return undefined;
      if (!(await insertRequest(trx, request, now, expiresAt))) return undefined;
      const asked = { id, amount: only?.to ?? 0, until: contents.until, people: contents.people.length };
      const live = outside && (await decideInTurn(trx, deps, { ...asked, trigger: 'request' }, outside));
      if (live) await applyDecision(trx, deps, request, live, now);
      if (live?.decision.kind !== 'grant') await announceRequest(trx, { requestId: id }, target, now);
      return id;
    });
  });
  if (created !== undefined) await askNextApproverInTime(deps, created);
  return created;
}
