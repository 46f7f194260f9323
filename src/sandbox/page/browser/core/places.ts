import type { ChannelView, Snapshot } from '../../../slack/people/control-types.ts';
import type { Place } from './state.ts';

const PERSON_KEY = 'sandbox-person';

/** The acting person's direct messages with the app; the control API accepts the same word. */
export const DIRECT_MESSAGES = 'dm';

/** Reads `?as=mia&channel=agent-usage`, which makes a place usable in links and scripts. */
export function readAddress(): { as: string | null; channel: string | null } {
  const parameters = new URLSearchParams(location.search);
  return { as: parameters.get('as'), channel: parameters.get('channel') };
}

export function writeAddress(snapshot: Snapshot, place: Place): void {
  const found = placeChannel(place, snapshot);
  const channel = found === null ? 'home' : found.kind === 'dm' ? DIRECT_MESSAGES : found.name;
  const parameters = new URLSearchParams({ as: snapshot.viewer.handle, channel });
  history.replaceState(null, '', `?${parameters.toString()}`);
}

export function rememberedPerson(): string | null {
  return localStorage.getItem(PERSON_KEY);
}

export function rememberPerson(handle: string): void {
  localStorage.setItem(PERSON_KEY, handle);
}

/** Returns the viewer's direct messages with the app. Before the first message they are only a place to write it. */
export function appMessages(snapshot: Snapshot): ChannelView {
  const existing = snapshot.channels.find(({ kind, hasApp }) => kind === 'dm' && hasApp);
  if (existing) return existing;
  const members = [snapshot.viewer.id, snapshot.app.botUserId];
  const { name } = snapshot.app;
  return {
    id: DIRECT_MESSAGES,
    name,
    kind: 'dm',
    isMember: true,
    isArchived: false,
    hasApp: true,
    members,
    messages: [],
  };
}

export function placeChannel(place: Place | null, snapshot: Snapshot | null): ChannelView | null {
  if (place?.kind !== 'channel' || snapshot === null) return null;
  if (place.channelId === DIRECT_MESSAGES) return appMessages(snapshot);
  return snapshot.channels.find(({ id }) => id === place.channelId) ?? null;
}

/** Chooses the place: the wanted one, else the previous one (also for another person), else the first channel. */
export function choosePlace(snapshot: Snapshot, wanted: string | null, before: Place | null): Place {
  if (wanted === 'home') return { kind: 'home' };
  if (wanted === DIRECT_MESSAGES) return { kind: 'channel', channelId: DIRECT_MESSAGES };
  const asked = snapshot.channels.find(({ id, name }) => wanted !== null && (id === wanted || name === wanted));
  if (asked) return { kind: 'channel', channelId: asked.id };
  if (before !== null && (before.kind === 'home' || placeChannel(before, snapshot) !== null)) return before;
  const first = snapshot.channels.find(({ kind, isMember }) => kind !== 'dm' && isMember) ?? snapshot.channels[0];
  return first ? { kind: 'channel', channelId: first.id } : { kind: 'home' };
}
