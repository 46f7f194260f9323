import { hasRole, type Role } from '../slack/people.ts';

/** Everything about limits that somebody may want to do. */
export const LIMIT_ACTIONS = [
  'ask_for_self',
  'ask_for_others',
  'import',
  'list_waiting',
  'see',
  'decide',
  'withdraw',
  'retry',
  'see_ledger',
  'take_audit',
] as const;
export type LimitAction = (typeof LIMIT_ACTIONS)[number];

/** Who acts. */
export interface Actor {
  slackId: string;
  role: Role;
}

/** What it is about, as far as it decides. */
export interface About {
  /** Who asked. */
  requester?: string;
  /** Whether the actor’s own limit is among those it is about. */
  isOwnLimit?: boolean;
}

/** Why somebody may not. */
export type Denial = 'managers_only' | 'admins_only' | 'own_request' | 'not_theirs';

/**
 * Whether somebody may do something; nothing if they may. The only place that decides it. Pure.
 *
 * @example denialOf('decide', { slackId: 'U1', role: 'admin' }, { requester: 'U1' }) // 'own_request'
 */
export function denialOf(action: LimitAction, actor: Actor, about: About = {}): Denial | undefined {
  const isAdmin = hasRole(actor.role, 'admin');
  const isManager = hasRole(actor.role, 'manager');
  const isRequester = about.requester !== undefined && about.requester === actor.slackId;
  switch (action) {
    case 'ask_for_self':
      return undefined;
    case 'ask_for_others':
    case 'import':
      return isManager ? undefined : 'managers_only';
    case 'list_waiting':
    case 'retry':
    case 'take_audit':
      return isAdmin ? undefined : 'admins_only';
    case 'see':
      return isManager || isRequester || about.isOwnLimit ? undefined : 'not_theirs';
    case 'decide':
      if (!isAdmin) return 'admins_only';
      return isRequester ? 'own_request' : undefined;
    case 'withdraw':
      return isAdmin || isRequester ? undefined : 'not_theirs';
    case 'see_ledger':
      return isManager || about.isOwnLimit ? undefined : 'managers_only';
    default:
      return action satisfies never;
  }
}
