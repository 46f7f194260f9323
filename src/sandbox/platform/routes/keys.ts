import { type Access, Refusal } from './route.ts';

type Role = 'manager' | 'member';

export interface Keys {
  manager: string;
  member: string;
  /** A JWT, which the endpoints under `/api/v0` accept too (API document: "Authentication"). */
  jwt: string;
}

export type Credential = Role | 'jwt' | undefined;

/** Returns the credential of an Authorization header; `undefined` if it is missing or wrong. */
export function roleOf(keys: Keys, header: string | undefined): Credential {
  const token = /^Bearer (\S+)$/.exec(header ?? '')?.[1];
  if (token === undefined) return undefined;
  if (token === keys.manager) return 'manager';
  if (token === keys.member) return 'member';
  return token === keys.jwt ? 'jwt' : undefined;
}

/**
 * Checks whether a credential may use a route.
 *
 * API document: 401 without valid credentials, 403 on analytics for members. It does not show the roles for other endpoints:
 * reserving the history of enterprise controls and credit limits for managers is the simulator's own choice.
 */
export function checkAccess(credential: Credential, access: Access): void {
  const takesJwt = access === 'administration' || access === 'managed_administration';
  if (credential === undefined || (credential === 'jwt' && !takesJwt)) {
    throw new Refusal(401, 'Unauthorized', 'Missing or invalid API key');
  }
  const needsManager = access === 'analytics' || access === 'managed_administration';
  if (needsManager && credential === 'member') {
    throw new Refusal(403, 'Forbidden', 'The caller lacks the Manager or Owner role');
  }
}
