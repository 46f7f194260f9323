import { hasRole } from '../../base/roles.ts';
import type { LimitPerson, LimitRequest } from './tables.ts';
import { endingOf } from '../apply/outcomes.ts';
import type { PeopleCounts } from './requests.ts';
import { involvementOf, isActor, type Actor, type Involvement } from './access.ts';

/** Who will read it: a person, or everybody who reads along where requests are decided. */
export type Viewer = Actor | 'reviewers';

/** A request as the store holds it; `people` holds at least the rows of the viewer. */
export interface WholeRequest {
  request: LimitRequest;
  people: readonly LimitPerson[];
  counts: PeopleCounts;
}

const seen = Symbol('seen');

/** What somebody may see of a request. Only `visibleTo` makes one, and whatever is said of a request is said of this. */
export interface VisibleRequest {
  readonly [seen]: true;
  /** `own`: nothing of the others, and not the words that were written about them too. */
  extent: 'all' | 'own';
  involvement: Involvement;
  request: Omit<LimitRequest, 'reason' | 'evidence'> & { reason: string | null };
  people: readonly LimitPerson[];
  counts: PeopleCounts;
}

/** How much of a request somebody may see; for strangers it is as if it were not there. Pure. */
export function extentOf(request: LimitRequest, ownRows: number, viewer: Viewer): VisibleRequest['extent'] | undefined {
  if (viewer === 'reviewers' || hasRole(viewer.role, 'manager')) return 'all';
  if (involvementOf(request, ownRows, viewer) === 'requester') return 'all';
  return ownRows > 0 ? 'own' : undefined;
}

/**
 * What somebody may see of a request: its requester, managers and admins all of it, its people their own row, and nobody else
 * anything. The only place that decides it. Pure.
 */
export function visibleTo(whole: WholeRequest, viewer: Viewer): VisibleRequest | undefined {
  const { request, people, counts } = whole;
  const own =
    viewer === 'reviewers' ? [] : people.filter(({ slack_id: slackId, email }) => isActor({ slackId, email }, viewer));
  const extent = extentOf(request, own.length, viewer);
  const involvement = viewer === 'reviewers' ? 'none' : involvementOf(request, own.length, viewer);
  const { evidence: _, ...shown } = request;
  // A reason that was kept long enough is gone.
  const all = { ...shown, reason: request.reason || null };
  if (extent === 'all') return { [seen]: true, extent, involvement, request: all, people, counts };
  if (extent === undefined) return undefined;
  const partly = { ...shown, people: own.length, state: ownState(request, own), reason: null, comment: null };
  return { [seen]: true, extent, involvement, request: partly, people: own, counts: countStates(own) };
}

/** How it ended for somebody; not how it ended for the others. */
function ownState({ state }: LimitRequest, own: readonly LimitPerson[]): LimitRequest['state'] {
  const isOver = state === 'applied' || state === 'partly_applied' || state === 'outcome_unknown';
  return isOver ? endingOf(own.map((person) => person.state)) : state;
}

function countStates(people: readonly LimitPerson[]): PeopleCounts {
  const groups = Map.groupBy(people, ({ state }) => state);
  return Object.fromEntries([...groups].map(([state, rows]) => [state, rows.length]));
}
