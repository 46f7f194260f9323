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
  const target = placeChannel(place, snapshot);
  const channel = target === null ? 'home' : target.kind === 'dm' ? DIRECT_MESSAGES : target.name;
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

/** Chooses the place: the referenced one, else the previous one (also for another person), else the first channel. */
export function choosePlace(snapshot: Snapshot, reference: string | null, before: Place | null): Place {
  if (reference === 'home') return { kind: 'home' };
  if (reference === DIRECT_MESSAGES) return { kind: 'channel', channelId: DIRECT_MESSAGES };
  const requested = snapshot.channels.find(
    ({ id, name }) => reference !== null && (id === reference || name === reference),
  );
  if (requested) return { kind: 'channel', channelId: requested.id };
  if (before !== null && (before.kind === 'home' || placeChannel(before, snapshot) !== null)) return before;
  const first = snapshot.channels.find(({ kind, isMember }) => kind !== 'dm' && isMember) ?? snapshot.channels[0];
  return first ? { kind: 'channel', channelId: first.id } : { kind: 'home' };
}
