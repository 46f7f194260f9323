import type { Snapshot } from '../../../../slack/people/control-types.ts';
import { workspaceCommands } from './composer-commands.ts';

/** A suggestion that can replace the typed word. */
export interface Completion {
  insert: string;
  label: string;
  hint: string;
}

export interface Completions {
  /** The start of the word to replace. */
  from: number;
  offers: Completion[];
}

const MAX_OFFERS = 8;

/** Returns suggestions at the caret: commands at the start, people or groups after `@`, channels after `#`. */
export function completionsFor(text: string, caret: number, snapshot: Snapshot): Completions | null {
  const before = text.slice(0, caret);
  if (/^\/\S*$/.test(before)) return offersFrom(0, before, commandOffers(snapshot));
  const word = /(?:^|\s)([@#][\p{L}\p{N}._-]*)$/u.exec(before)?.[1];
  if (word === undefined) return null;
  return offersFrom(caret - word.length, word, word.startsWith('@') ? personOffers(snapshot) : channelOffers(snapshot));
}

function offersFrom(from: number, typed: string, all: readonly Completion[]): Completions | null {
  const lowerTyped = typed.toLowerCase();
  const starting = all.filter(({ insert }) => insert.toLowerCase().startsWith(lowerTyped));
  const named = all.filter(
    (offer) => !starting.includes(offer) && offer.hint.toLowerCase().includes(lowerTyped.slice(1)),
  );
  const offers = [...starting, ...(lowerTyped.length > 2 && !lowerTyped.startsWith('/') ? named : [])];
  return offers.length === 0 ? null : { from, offers: typed.startsWith('/') ? offers : offers.slice(0, MAX_OFFERS) };
}

function commandOffers(snapshot: Snapshot): Completion[] {
  return [...snapshot.app.commands, ...workspaceCommands].map(({ command, usageHint, description }) => ({
    insert: command,
    label: usageHint === '' ? command : `${command} ${usageHint}`,
    hint: description,
  }));
}

function personOffers({ people, userGroups, app }: Snapshot): Completion[] {
  const groups = userGroups.map(({ handle, name }) => ({
    insert: `@${handle}`,
    label: `@${handle}`,
    hint: `${name} (group)`,
  }));
  const persons = people
    .filter(({ isDeactivated, id }) => !isDeactivated && id !== app.botUserId)
    .map(({ handle, name }) => ({ insert: `@${handle}`, label: `@${handle}`, hint: name }));
  return [...persons, { insert: `@${app.name}`, label: `@${app.name}`, hint: 'the app' }, ...groups];
}

function channelOffers({ channels }: Snapshot): Completion[] {
  return channels
    .filter(({ kind, isArchived }) => kind !== 'dm' && !isArchived)
    .map(({ name, kind }) => ({ insert: `#${name}`, label: `#${name}`, hint: kind === 'private' ? 'private' : '' }));
}

/** Returns the usage hint of the command at the start of a line; null without one. */
export function usageHintFor(text: string, snapshot: Snapshot): string | null {
  const command = /^(\/\S+)\s/.exec(text)?.[1];
  const help = [...snapshot.app.commands, ...workspaceCommands].find((one) => one.command === command);
  if (help === undefined) return null;
  return [`${help.command} ${help.usageHint}`.trim(), help.description].filter(Boolean).join(' — ');
}
