import { hasRole } from '../../../core/base/roles.ts';
import type { LimitPerson, LimitRequest } from './limit-tables.ts';
import { endingOf } from './person-states.ts';
import type { PeopleCounts } from './requests.ts';
import { involvementOf, isActor, isRequester, type Actor, type Involvement } from './access.ts';

/** A person, or everyone in the channel where requests are decided. */
export type Viewer = Actor | 'reviewers';

/** A stored request; `people` holds at least the viewer’s own rows. */
export interface WholeRequest {
  request: LimitRequest;
  people: readonly LimitPerson[];
  counts: PeopleCounts;
}

const seen = Symbol('seen');

/** The visible part of a request. Only `visibleTo` creates it, and every text about a request is made from it. */
export interface VisibleRequest {
  readonly [seen]: true;
  /** `own`: without other people and without texts written about them. */
  extent: 'all' | 'own';
  involvement: Involvement;
  request: Omit<LimitRequest, 'reason' | 'evidence'> & { reason: string | null };
  people: readonly LimitPerson[];
  counts: PeopleCounts;
}

/** Returns how much of a request the viewer may see; undefined for strangers, as if it did not exist. Pure. */
export function extentOf(request: LimitRequest, ownRows: number, viewer: Viewer): VisibleRequest['extent'] | undefined {
  if (viewer === 'reviewers' || viewer.isLead || hasRole(viewer.role, 'manager')) return 'all';
  if (isRequester(involvementOf(request, ownRows, viewer))) return 'all';
  return ownRows > 0 ? 'own' : undefined;
}

/** The only place that decides this: requester, leads of the team, managers and admins see all, its people their row, others nothing. */
export function visibleTo(whole: WholeRequest, viewer: Viewer): VisibleRequest | undefined {
  const { request, people, counts } = whole;
  const own = viewer === 'reviewers' ? [] : people.filter(({ slackId, email }) => isActor({ slackId, email }, viewer));
  const extent = extentOf(request, own.length, viewer);
  const involvement = viewer === 'reviewers' ? 'none' : involvementOf(request, own.length, viewer);
  const { evidence: _, ...withoutEvidence } = request;
  // An empty reason was deleted by retention.
  const all = { ...withoutEvidence, reason: request.reason || null };
  if (extent === 'all') return { [seen]: true, extent, involvement, request: all, people, counts };
  if (extent === undefined) return undefined;
  const ownPart = {
    ...withoutEvidence,
    people: own.length,
    state: ownState(request, own),
    reason: null,
    comment: null,
  };
  return { [seen]: true, extent, involvement, request: ownPart, people: own, counts: countStates(own) };
}

function ownState({ state }: LimitRequest, own: readonly LimitPerson[]): LimitRequest['state'] {
  const isOver = state === 'applied' || state === 'partly_applied' || state === 'outcome_unknown';
  return isOver ? endingOf(own.map((person) => person.state)) : state;
}

function countStates(people: readonly LimitPerson[]): PeopleCounts {
  const groups = Map.groupBy(people, ({ state }) => state);
  return Object.fromEntries([...groups].map(([state, rows]) => [state, rows.length]));
}
