export type Role = 'member' | 'manager' | 'admin';

const RANK: Record<Role, number> = { member: 0, manager: 1, admin: 2 };

/** Each role includes the ones before. @example hasRole('admin', 'manager') // true */
export function hasRole(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}

/** Who someone is, as an operator names them: a Slack user id, a user-group id or an e-mail. */
export type PersonReference =
  | { kind: 'user'; id: string }
  | { kind: 'group'; id: string }
  | { kind: 'email'; email: string };
