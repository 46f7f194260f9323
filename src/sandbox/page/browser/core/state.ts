import type { Snapshot, Traffic } from '../../../slack/people/control-types.ts';
import type { PageSettings } from './control.ts';

/** The content of the page's middle column. */
export type Place = { kind: 'channel'; channelId: string } | { kind: 'home' };
export type DrawerName = 'traffic' | 'platform' | 'slackbot';

/** A line of this page: a message of Slack's client rather than of the app. */
export interface Notice {
  id: number;
  /** The channel of its cause; null: shown everywhere. */
  channelId: string | null;
  tone: 'error' | 'info';
  text: string;
}

export interface PageState {
  settings: PageSettings;
  /** null until the workspace was read for the first time. */
  snapshot: Snapshot | null;
  place: Place | null;
  /** The first message of the open thread. */
  threadTs: string | null;
  drawer: DrawerName | null;
  isSidebarOpen: boolean;
  traffic: Traffic[];
  notices: Notice[];
  /** channel id → messages that arrived while another place was shown. */
  unread: Record<string, number>;
  /** person id → how many direct messages of the app they had when they last looked. */
  seenDirect: Record<string, number>;
  isLive: boolean;
  isClockMoving: boolean;
  /** Sandbox time minus this browser's time. */
  clockOffsetMs: number;
  /** Read out by screen readers. */
  announcement: string;
  /** Why nothing can be shown. */
  failure: string | null;
}

export const emptyState: PageState = {
  settings: {
    title: 'Sandbox',
    introduction: '',
    hints: [],
    tour: [],
    roles: {},
    hasPlatform: false,
    hasSlackbot: false,
  },
  snapshot: null,
  place: null,
  threadTs: null,
  drawer: null,
  isSidebarOpen: false,
  traffic: [],
  notices: [],
  unread: {},
  seenDirect: {},
  isLive: false,
  isClockMoving: false,
  clockOffsetMs: 0,
  announcement: '',
  failure: null,
};

export interface Store<State> {
  read: () => State;
  change: (patch: Partial<State>) => void;
  watch: (listener: () => void) => () => void;
}

export function createStore<State extends object>(initial: State): Store<State> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    read: () => current,
    change: (patch) => {
      current = { ...current, ...patch };
      for (const listener of listeners) listener();
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
