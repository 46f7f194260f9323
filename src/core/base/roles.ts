export type Role = 'member' | 'manager' | 'admin';

/** The role that an action needs; with `nobody` it is switched off. */
export type RequiredRole = Role | 'nobody';

const RANK: Record<RequiredRole, number> = { member: 0, manager: 1, admin: 2, nobody: Number.POSITIVE_INFINITY };

/** @example hasRole('admin', 'manager') // true */
export const hasRole = (role: Role, needed: RequiredRole): boolean => RANK[role] >= RANK[needed];

/** Why a Slack account gets neither answers nor messages. */
export type ReaderRefusal = 'guest' | 'outsider' | 'bot' | 'deactivated' | 'erased' | 'unknown';

export type PersonReference =
  | { kind: 'user'; id: string }
  | { kind: 'group'; id: string }
  | { kind: 'email'; email: string };
