import { didYouMean } from '../../slack/commands/command-words.ts';
import type { Database } from '../../store/tables.ts';
import { isBelow } from '../diff/paths.ts';
import { latestRevision, settingsOf } from '../core/revisions.ts';

/** API document: "Members of `settings`". Others may come and go. */
const DOCUMENTED =
  'sessionDefaultSettings mcpAutonomyOverrides cloudSessionSync wikiCloudSync includeCoAuthoredByAgent enableAgentShield ideAutoConnect commandAllowlist commandDenylist customModels modelPolicy mcpPolicy missionPolicy userModelPolicies enabledPlugins extraKnownMarketplaces strictKnownMarketplaces networkPolicy sandbox restrictMemberVisibility restrictApiKeyCreationToManagers managedComputersEnabled byomComputersEnabled managedComputersAllowedEmails byomComputersAllowedEmails sessionRetentionDays'.split(
    ' ',
  );

export type NamedMembers =
  | { kind: 'known'; names: string[] }
  | { kind: 'unknown'; name: string; meant: string | undefined };

/** Whether there are members of these names, in the document or in the latest settings; written as they are there. */
export async function checkNames(db: Database, names: readonly string[]): Promise<NamedMembers> {
  const latest = await latestRevision(db);
  const known = [...new Set([...DOCUMENTED, ...(latest ? Object.keys(settingsOf(latest)) : [])])];
  const found: string[] = [];
  for (const name of names) {
    const member = known.find((one) => isBelow(name, one));
    if (member === undefined) {
      const meant = didYouMean(
        name,
        known.map((one) => one.toLowerCase()),
      );
      return { kind: 'unknown', name, meant: known.find((one) => one.toLowerCase() === meant) };
    }
    found.push(member + name.slice(member.length));
  }
  return { kind: 'known', names: found };
}
