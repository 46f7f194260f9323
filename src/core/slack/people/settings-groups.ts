import { createCache, type Cache } from '../../base/cache.ts';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { readSlackFault } from '../client/errors.ts';

// usergroups.users.list is a Tier 2 method: about 20 calls a minute.
export const GROUP_LIFE_MS = 5 * 60_000;

/** The members of a user group that Slack refuses are unknown, so it counts as empty. */
export interface GroupEvidence {
  refusedSince: Date | undefined;
  /** When none of them was refused any more. */
  acceptedAt: Date | undefined;
  /** Slack’s codes for the groups that it refuses now, each once. */
  codes: readonly string[];
}

/** In fixed words and Slack’s codes. @example groupFault(evidence) // 'Slack refuses user groups (missing_scope)' */
export const groupFault = ({ refusedSince, codes }: GroupEvidence): string | undefined =>
  refusedSince && `Slack refuses user groups of the settings (${codes.join(', ')}), so they count as empty`;

/** A group that Slack refuses must not keep all people from being answered, so it has no members for a while. */
export function createSettingsGroups(
  { clock, log }: { clock: Clock; log: Logger },
  membersOf: (groupId: string) => Promise<string[]>,
): { members: Cache<string, string[]>; evidence: () => GroupEvidence } {
  const codes = new Map<string, string>();
  let refusedSince: Date | undefined;
  let acceptedAt: Date | undefined;
  const note = (groupId: string, code: string | undefined) => {
    if (code !== undefined && codes.get(groupId) !== code)
      log.error({ group: groupId, code }, 'Slack refuses a user group in the settings; it counts as empty');
    if (code === undefined) codes.delete(groupId);
    else codes.set(groupId, code);
    if (codes.size > 0) refusedSince ??= clock.now();
    else {
      refusedSince = undefined;
      acceptedAt = clock.now();
    }
  };
  const members = createCache(clock, GROUP_LIFE_MS, async (groupId: string) => {
    try {
      const ids = await membersOf(groupId);
      note(groupId, undefined);
      return ids;
    } catch (error) {
      const fault = readSlackFault(error);
      if (fault.kind !== 'refused') throw error;
      note(groupId, fault.code);
      return [];
    }
  });
  return { members, evidence: () => ({ refusedSince, acceptedAt, codes: [...new Set(codes.values())].toSorted() }) };
}
