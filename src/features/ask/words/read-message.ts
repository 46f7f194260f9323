import { dayOf } from '../../../core/base/time/calendar.ts';
import type { People } from '../../../core/slack/people/people.ts';
import { VIEWS } from '../../usage/usage-command.ts';
import type { CommandLine, ReadMessage, Reading } from '../messages/reading.ts';
import { directoryOf, type Directory } from '../subject-words.ts';
import { fill } from './fill.ts';
import { numbered, phrases, SLOT_WEIGHT, type Intent, type Phrase } from './phrases.ts';
import { readParts, type MessageParts, type Slot } from './slots.ts';
import { tokensOf } from './tokens.ts';

export function createReadMessage(people: Pick<People, 'teams' | 'names'>): ReadMessage {
  return async (text, now) => {
    const [teams, names] = await Promise.all([people.teams(), people.names()]);
    return readMessageText(text, directoryOf(teams, names), now);
  };
}

/** What a message probably means, by one phrase. */
interface Candidate {
  line: CommandLine;
  /** How near the phrase is, from 0 to 1. */
  score: number;
  /** Each word and part of the message has a place in the command line. */
  isComplete: boolean;
}

/** A message is answered if it is at least this near to a phrase, and nearer by `MARGIN` than to those of other lines. */
const NEAR_ENOUGH = 0.62;
const MARGIN = 0.06;
/** Less near readings are not even offered, and a person may see only some of these. */
const OFFERED = 0.3;
const MAX_OFFERED = 6;

/** Finds the phrases that are nearest to a message. A word without a place could change the meaning. Pure. */
export function readMessageText(text: string, directory: Directory, now: Date): Reading {
  const today = dayOf(now);
  const tokens = tokensOf(text);
  const parts = readParts(tokens, { directory, vocabulary: phrases().vocabulary, today });
  if (parts.problem !== undefined) return { kind: 'ambiguous', sentence: parts.problem };
  const { terms, slots, unknown } = parts;
  const isHello = unknown.length + slots.length === 0 && terms.every((term) => term.startsWith('~'));
  if (tokens.length > 0 && (isHello || (tokens.length === 1 && terms[0] === 'help'))) return { kind: 'hello' };
  const candidates = candidatesFor(parts);
  const [first, second] = candidates;
  if (!first || unknown.length * 2 > tokens.length) return { kind: 'unknown', near: [] };
  const doubtful = slots.find((slot) => isInDoubt(slot, first.line));
  if (doubtful) return otherPeriods(parts, doubtful);
  const lines = candidates.filter(({ score }) => score >= OFFERED).map(({ line }) => line);
  const isClear = first.score >= NEAR_ENOUGH && first.score - (second?.score ?? 0) >= MARGIN;
  if (!first.isComplete || !isClear) return { kind: 'unclear', near: lines.slice(0, MAX_OFFERED) };
  return { kind: 'answer', line: first.line, near: [...neighbors(first.line), ...lines.slice(1, MAX_OFFERED)] };
}

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  day: ['{period}'],
  person: ['{person}', '{who}'],
  group: ['{group}', '{who}'],
  number: ['{number}', '{id}', '{amount}'],
};
const placesOf = ({ slots }: MessageParts) => numbered(slots.flatMap(({ kind }) => ALIASES[kind] ?? [`{${kind}}`]));

type Message = MessageParts & { places: readonly string[] };

/** The best candidate of each command line, the nearest first. */
function candidatesFor(read: MessageParts): Candidate[] {
  const parts = { ...read, places: placesOf(read) };
  const best = new Map<string, Candidate>();
  for (const phrase of phrases().search([...parts.terms, ...parts.places]))
    for (const intent of phrase.intents) {
      const candidate = candidateOf(phrase, intent, parts);
      const key = JSON.stringify(candidate?.line);
      const other = best.get(key);
      if (candidate && (!other || rankOf(candidate) > rankOf(other))) best.set(key, candidate);
    }
  return [...best.values()].toSorted((a, b) => rankOf(b) - rankOf(a));
}

/** Of two equally near readings, the complete one comes first. */
const rankOf = ({ score, isComplete }: Candidate) => score + (isComplete ? 0.0001 : 0);

/** For each part of the message that has no place in its command line. */
const UNUSED_FACTOR = 0.7;

function candidateOf(phrase: Phrase, intent: Intent, parts: Message): Candidate | undefined {
  const filled = fill(intent, parts);
  if (!filled) return undefined;
  const isCovered = filled.unused + parts.unknown.length === 0 && parts.terms.every((term) => filled.covers(term));
  const takesAhead = parts.slots.every(({ isAhead, word }) => isAhead !== true || filled.line.text.includes(word));
  const isComplete = isCovered && takesAhead && hasEssentials(phrase, intent, parts);
  return { line: filled.line, score: nearness(phrase, intent, parts) * UNUSED_FACTOR ** filled.unused, isComplete };
}

/** Whether the message has what makes the meaning of the phrase: its places, “my”, and the words of all such phrases. */
function hasEssentials({ terms }: Phrase, { parts: template, essential }: Intent, parts: Message): boolean {
  const has = new Set([...parts.terms, ...parts.places]);
  const isOwn = has.has('me');
  const takesMe = template.some((part) => 'literal' in part && part.literal === 'me');
  const words = [...terms].filter((term) => !/^\{|^me$|^us$/.test(term));
  const places = [...terms].filter((term) => term.startsWith('{') && !(term === '{who}' && isOwn));
  const hasAll = [...essential, ...places].every((term) => has.has(term));
  return (
    hasAll && (!takesMe || isOwn || !terms.has('me')) && (words.length === 0 || words.some((term) => has.has(term)))
  );
}

/** The weight of the common terms, as a share of all terms of the phrase and the message. */
function nearness({ terms }: Phrase, { parts: template }: Intent, parts: Message): number {
  const { places } = parts;
  const takesWho = template.some((part) => 'kind' in part && part.kind === 'who');
  // There, who asks is a part of the command line, like a named person.
  const isNamed = parts.terms.includes('me') || places.includes('{who}');
  const isWho = (term: string) => takesWho && (term === 'me' || term === '{who}');
  const weight = (term: string) => (term === 'us' ? 0 : isWho(term) ? SLOT_WEIGHT : phrases().weight(term));
  const sum = (all: Iterable<string>) => [...all].reduce((total, term) => total + weight(term), 0);
  const message = new Set([...parts.terms, ...parts.unknown].filter((term) => !isWho(term)));
  const common = [...terms].filter((term) => message.has(term) || places.includes(term) || (isWho(term) && isNamed));
  const all = sum(terms) + sum(message) + sum(common.filter((term) => !message.has(term)));
  return all === 0 ? 1 : (2 * sum(common)) / all;
}

/** `02/01`, or days of which no figures can exist. */
const isInDoubt = ({ meanings, isAhead, word }: Slot, { command, text }: CommandLine) =>
  text.includes(word) && (meanings !== undefined || (command === '/usage' && isAhead === true));

const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  today: ['yesterday'],
  tomorrow: ['yesterday'],
  'this week': ['this week', 'last week', '7d'],
};

function otherPeriods(parts: MessageParts, period: Slot): Reading {
  const words = period.meanings ?? INSTEAD[period.word] ?? [period.word, '7d'];
  const near = words.flatMap((word) => {
    const slots = parts.slots.map((slot) => (slot === period ? { kind: slot.kind, word } : slot));
    return candidatesFor({ ...parts, slots }).slice(0, 1);
  });
  const sentence = period.meanings ? undefined : `There are no figures for ${period.word} yet.`;
  return { kind: 'unclear', near: near.map(({ line }) => line), sentence };
}

const SUBJECT = /[@<]|^(?:people|teams|activity|moved)\b| vs |csv/;

/** What else could be meant by a view of `/usage`: the figures of all, one’s own, or the models. */
function neighbors({ command, text }: CommandLine): CommandLine[] {
  if (command !== '/usage' || SUBJECT.test(text)) return [];
  const words = text.split(' ').filter((word) => word !== '' && word !== 'more');
  const others = words.includes('me') ? words.filter((word) => word !== 'me') : [...words, 'me'];
  const models = VIEWS.some((view) => view === words[0]) ? words.slice(1) : ['models', ...words];
  return [others, models].map((all) => ({ command, text: all.join(' ') }));
}
