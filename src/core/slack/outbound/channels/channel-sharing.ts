/** The members of an answer of conversations.info that show who else reads a channel. */
interface SharingFacts {
  /** Slack Connect: people of another organization are in it. */
  is_ext_shared?: boolean | undefined;
  /** Another organization was invited and may be in it at any time. */
  is_pending_ext_shared?: boolean | undefined;
  pending_shared?: readonly unknown[] | undefined;
  /** Other workspaces of the same Enterprise organization share it; the bot does not know their people either. */
  is_org_shared?: boolean | undefined;
}

export type Sharing = 'none' | 'external' | 'pending' | 'workspaces';

export function sharingOf(info: SharingFacts): Sharing {
  if (info.is_ext_shared) return 'external';
  if (info.is_pending_ext_shared || (info.pending_shared?.length ?? 0) > 0) return 'pending';
  return info.is_org_shared ? 'workspaces' : 'none';
}

const WITH_WHOM: Record<Exclude<Sharing, 'none'>, string> = {
  external: 'This channel is shared with another organization',
  pending: 'Another organization was invited to this channel',
  workspaces: 'This channel is shared with other workspaces',
};

/** @example sharedSentence('external') // 'This channel is shared with another organization, so …' */
export function sharedSentence(sharing: Exclude<Sharing, 'none'>): string {
  return `${WITH_WHOM[sharing]}, so Quartermaster posts nothing there. Choose another one, or ask the server operator to set ALLOW_SHARED_CHANNELS.`;
}
