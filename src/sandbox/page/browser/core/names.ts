import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { authorName } from './announcements.ts';
import type { Page } from './page-context.ts';
import { localDay, knownZone } from './zone-time.ts';

/** The context for drawing text: the names behind its ids, and its reader. */
export interface Names {
  viewerId: string;
  timeZone: string;
  nowMs: number;
  userName: (id: string) => string;
  channelName: (id: string) => string | null;
  groupName: (id: string) => string | null;
  openChannel: (id: string) => void;
}

const nobody: Names = {
  viewerId: '',
  timeZone: 'UTC',
  nowMs: 0,
  userName: (id) => id,
  channelName: () => null,
  groupName: () => null,
  openChannel: () => undefined,
};

export const NamesContext = createContext<Names>(nobody);

export function useNames(): Names {
  return useContext(NamesContext);
}

/**
 * Returns the names of the workspace. The object stays the same until a name, the viewer or the day changes, because all text
 * on the page is drawn again with it.
 */
export function useWorkspaceNames({ session, state: { snapshot } }: Page): Names {
  const day = snapshot === null ? '' : localDay(session.nowMs(), knownZone(snapshot.viewer.timeZone));
  const key = snapshot === null ? '' : fingerprint(snapshot, day);
  return useMemo(() => {
    if (snapshot === null) return nobody;
    const channels = new Map(snapshot.channels.map(({ id, name }) => [id, name]));
    const groups = new Map(snapshot.userGroups.map(({ id, handle }) => [id, handle]));
    return {
      viewerId: snapshot.viewer.id,
      timeZone: knownZone(snapshot.viewer.timeZone),
      nowMs: session.nowMs(),
      userName: (id) => authorName(id, snapshot),
      channelName: (id) => channels.get(id) ?? null,
      groupName: (id) => groups.get(id) ?? null,
      openChannel: (channelId) => session.go({ kind: 'channel', channelId }),
    };
  }, [key]);
}

type Snapshot = NonNullable<Page['state']['snapshot']>;

function fingerprint({ viewer, people, userGroups, channels, app }: Snapshot, day: string): string {
  return JSON.stringify([
    day,
    app.name,
    viewer,
    people.map(({ id, name }) => [id, name]),
    userGroups.map(({ id, handle }) => [id, handle]),
    channels.map(({ id, name }) => [id, name]),
  ]);
}
