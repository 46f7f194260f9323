import type { RoleDenial } from '../../../core/slack/blocks/messages.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { hasRole, type Role } from '../../../core/base/roles.ts';

export interface Actor {
  slackId: string;
  /** In lower case; undefined if Slack shows none. */
  email: string | undefined;
  /** Other e-mails of the same person on the platform, in lower case. */
  otherEmails?: readonly string[] | undefined;
  role: Role;
  /** The figures could not be read, so they may have other e-mails. */
  areEmailsUnsure?: boolean | undefined;
  /** See `mayDecideAlone`. */
  decidesAlone?: boolean | undefined;
  /** They lead the team of the request in question, and are no admin. */
  isLead?: boolean | undefined;
}

/** `requester_for_others`: they made the request and are not in it. `requester`: they made it and are in it. */
export const INVOLVEMENTS = ['none', 'among_others', 'only_them', 'requester', 'requester_for_others'] as const;
export type Involvement = (typeof INVOLVEMENTS)[number];

export const isRequester = (involvement: Involvement): boolean =>
  involvement === 'requester' || involvement === 'requester_for_others';

export type LimitAction =
  | { action: 'ask_for_self' | 'ask_for_others' | 'import' | 'list_waiting' | 'give' }
  /** `resume`: retries a failed request, or sends or leaves a withheld one. */
  | { action: 'decide' | 'resume'; involvement: Involvement }
  | { action: 'withdraw'; isRequester: boolean }
  /** `isForThem`: it would change their own limit. */
  | { action: 'undo'; isForThem: boolean }
  | { action: 'see_ledger'; isOwnLimit: boolean };

export type Denial = 'managers_only' | 'admins_only' | 'own_request' | 'own_as_lead' | 'own_limit' | 'not_theirs';

/** The only place that decides this: returns why an action is denied, or undefined if it is allowed. */
export function denialOf(
  attempted: LimitAction,
  actor: Pick<Actor, 'role' | 'decidesAlone' | 'isLead'>,
): Denial | undefined {
  const isAdmin = hasRole(actor.role, 'admin');
  const isManager = hasRole(actor.role, 'manager');
  switch (attempted.action) {
    case 'ask_for_self':
      return undefined;
    case 'ask_for_others':
    case 'import':
      return isManager ? undefined : 'managers_only';
    case 'list_waiting':
    case 'give':
      return isAdmin ? undefined : 'admins_only';
    case 'decide':
      // Nothing that is theirs, in whatever way.
      if (!isAdmin && actor.isLead) return attempted.involvement === 'none' ? undefined : 'own_as_lead';
      if (!isAdmin) return 'admins_only';
      return mayDecide(attempted.involvement, actor) ? undefined : 'own_request';
    case 'resume':
      if (!isAdmin) return 'admins_only';
      return mayDecide(attempted.involvement, actor) ? undefined : 'own_request';
    case 'undo':
      if (!isAdmin) return 'admins_only';
      return attempted.isForThem ? 'own_limit' : undefined;
    case 'withdraw':
      return isAdmin || attempted.isRequester ? undefined : 'not_theirs';
    case 'see_ledger':
      return isManager || attempted.isOwnLimit ? undefined : 'managers_only';
    default:
      return attempted satisfies never;
  }
}

function mayDecide(involvement: Involvement, { decidesAlone }: Pick<Actor, 'decidesAlone'>): boolean {
  switch (involvement) {
    case 'none':
    // An admin who is among the people decides for the others; their own row is left out in the same transaction.
    case 'among_others':
      return true;
    case 'requester_for_others':
      return decidesAlone === true;
    case 'only_them':
    case 'requester':
      return false;
    default:
      return involvement satisfies never;
  }
}

export interface NamedPerson {
  slackId?: string | null | undefined;
  email: string | null | undefined;
}

export const emailsOfActor = ({ email, otherEmails = [] }: Pick<Actor, 'email' | 'otherEmails'>): string[] => [
  ...(email === undefined ? [] : [email.toLowerCase()]),
  ...otherEmails,
];

/** Whether the named person is the actor: by Slack id, or by one of their e-mails in any letter case. Pure. */
export function isActor(named: NamedPerson, actor: Omit<Actor, 'role'>): boolean {
  if (named.slackId === actor.slackId) return true;
  const email = named.email?.toLowerCase();
  return email !== undefined && emailsOfActor(actor).includes(email);
}

/** Pure. @param ownRows the number of rows about the actor */
export function involvementOf(
  request: { requester: string; requesterEmail: string | null; people: number },
  ownRows: number,
  actor: Omit<Actor, 'role'>,
): Involvement {
  if (isActor({ slackId: request.requester, email: request.requesterEmail }, actor))
    return ownRows === 0 ? 'requester_for_others' : 'requester';
  if (ownRows === 0) return 'none';
  return ownRows < request.people ? 'among_others' : 'only_them';
}

export function roleDenial(person: FreshPerson & Pick<Actor, 'isLead'>): RoleDenial | undefined {
  const denial = denialOf({ action: 'decide', involvement: 'none' }, person);
  return denial === undefined ? undefined : { what: 'This', role: 'admin' };
}
