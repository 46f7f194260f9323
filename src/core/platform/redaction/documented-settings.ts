import { wordsIn } from '../../base/text/word-list.ts';

/**
 * `text`: shown in full, except for secret parts. `id`: the same, but it may look random. `configuration`: only parts
 * that are known to be harmless.
 */
export type ShownAs = 'text' | 'id' | 'configuration';

/** The policy, as in the API document ("Enterprise-control change"). The history of the controls exists to show it. */
const POLICY: Readonly<Record<string, ShownAs>> = {
  'sessionDefaultSettings.model': 'text',
  'sessionDefaultSettings.specModeModel': 'text',
  commandAllowlist: 'text',
  commandDenylist: 'text',
  'customModels.model': 'id',
  'customModels.id': 'id',
  'customModels.displayName': 'text',
  'customModels.managedCloud.cloudRegion': 'text',
  'modelPolicy.allowedModelIds': 'id',
  'modelPolicy.blockedModelIds': 'id',
  'modelPolicy.allowedBaseUrls': 'text',
  'mcpPolicy.allowlist': 'text',
  'missionPolicy.allowedUserIds': 'id',
  'strictKnownMarketplaces.repo': 'text',
  'networkPolicy.allowedIps': 'text',
  'sandbox.filesystem.allowWrite': 'text',
  'sandbox.filesystem.allowRead': 'text',
  'sandbox.filesystem.denyWrite': 'text',
  'sandbox.filesystem.denyRead': 'text',
  'sandbox.network.allowedDomains': 'text',
  'sandbox.network.allowUnixSockets': 'text',
  managedComputersAllowedEmails: 'text',
  byomComputersAllowedEmails: 'text',
};

const NUMBERS = wordsIn(
  'customModels.index customModels.maxContextLimit customModels.thinkingMaxTokens customModels.maxOutputTokens',
  'sandbox.network.httpProxyPort sandbox.network.socksProxyPort sessionRetentionDays',
);

/** @param path names of members; those of lists have none */
export function shownAs(path: readonly string[]): ShownAs {
  const [first, second] = path;
  const last = path.at(-1) ?? '';
  // The model policy of each user, under the user's id.
  if (first === 'userModelPolicies')
    return path.length === 1 || path.length === 2 ? 'id' : (own(`modelPolicy.${last}`) ?? 'configuration');
  if (first === 'extraKnownMarketplaces' && second !== undefined && last === 'repo') return 'text';
  return own(path.join('.')) ?? 'configuration';
}

const own = (path: string) => (Object.hasOwn(POLICY, path) ? POLICY[path] : undefined);

export const isDocumentedNumber = (path: readonly string[]) => NUMBERS.has(path.join('.'));
