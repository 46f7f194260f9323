export type Role = 'member' | 'manager' | 'admin';

/** What is needed to do something; `nobody`: it is switched off. */
export type RequiredRole = Role | 'nobody';

const RANK: Record<RequiredRole, number> = { member: 0, manager: 1, admin: 2, nobody: Number.POSITIVE_INFINITY };

/** Each role includes the ones before. @example hasRole('admin', 'manager') // true */
export function hasRole(role: Role, needed: RequiredRole): boolean {
  return RANK[role] >= RANK[needed];
}

/** Why a Slack account gets no answer and no message. */
export type ReaderRefusal = 'guest' | 'outsider' | 'bot' | 'deactivated' | 'erased' | 'unknown';

/** Who someone is, as an operator names them: a Slack user id, a user-group id or an e-mail. */
export type PersonReference =
  | { kind: 'user'; id: string }
  | { kind: 'group'; id: string }
  | { kind: 'email'; email: string };
