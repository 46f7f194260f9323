import { actions, context, divider, message, section, type Block, type BlockMessage } from '../slack/blocks.ts';
import { joinMarkup, markup, readerTime, type Markup } from '../slack/text.ts';
import { retryButton, reviewButton, showButton } from './buttons.ts';
import { MOST_PEOPLE_SHOWN, type EvidenceReading } from './evidence.ts';
import { evidenceLines, evidenceNote } from './evidence-lines.ts';
import { formatAmount } from './amounts.ts';
import type { OpenElsewhere } from './ledger.ts';
import type { LedgerEntry, LimitPerson, LimitRequest } from './limit-tables.ts';
import { peopleWords, personLine } from './person-lines.ts';
import type { PeopleCounts } from './requests.ts';
import { askLine, stateLine, untilLine } from './state-lines.ts';

/** What a card shows: as it is in the store when the card is written. */
export interface CardFacts {
  request: LimitRequest;
  /** The first of them, and those with whom something went wrong. */
  people: readonly LimitPerson[];
  faults: readonly LimitPerson[];
  counts: PeopleCounts;
  /** Only for whoever still has to decide. */
  evidence: EvidenceReading | undefined;
  history: ReadonlyMap<string, readonly LedgerEntry[]>;
  /** Other requests for the same people that are not over. */
  open: readonly OpenElsewhere[];
  /** Why it comes by direct message. */
  trouble?: string | undefined;
}

/** The card of a request for those who decide: what they need first, on a phone. */
export function cardMessage(facts: CardFacts): BlockMessage {
  const { request } = facts;
  const head = joinMarkup([markup`*${askLine(request, facts.people)}*`, stateLine(request, facts.counts)], '\n');
  const wish = wishLines(facts);
  const evidence = facts.evidence ? evidenceLines(facts.evidence, facts.people, facts.history) : [];
  const notes = notesOf(facts);
  const text = joinMarkup([head, ...wish, ...evidence, ...notes], '\n');
  return message(text.text, [
    section(head),
    ...(wish.length > 0 ? [section(joinMarkup(wish, '\n'))] : []),
    ...(evidence.length > 0 ? [divider(), section(joinMarkup(evidence, '\n\n'))] : []),
    ...notes.map((note) => context(note)),
    ...buttonsOf(request),
  ]);
}

/** From which values to which, why, until when, and what the reviewer said. */
function wishLines({ request, people, faults, counts, open }: CardFacts): Markup[] {
  const isOver = request.state === 'partly_applied' || request.state === 'outcome_unknown';
  const shown = isOver && request.people > MOST_PEOPLE_SHOWN ? faults : people;
  const listed = shown.slice(0, MOST_PEOPLE_SHOWN);
  const all = isOver && request.people > MOST_PEOPLE_SHOWN ? faultCount(counts) : request.people;
  const rest = all - listed.length;
  const until = untilLine(request, people);
  return [
    ...listed.map((person) => markup`•  ${personLine(person)}`),
    ...(rest > 0 ? [markup`•  and ${peopleWords(rest)} more: \`/limits show ${request.id}\``] : []),
    ...openLines(open),
    ...(until ? [until] : []),
    ...(request.kind === 'return' ? [] : [markup`Why: ${request.reason}`]),
    ...(request.comment === null || request.kind === 'return' ? [] : [markup`Comment: ${request.comment}`]),
  ];
}

/** Whoever decides one of two requests for a person should know of the other. */
export function openLines(open: readonly OpenElsewhere[]): Markup[] {
  return open.map(
    ({ email, request_id: id, to_value: value }) =>
      markup`Also open for ${email}: \`${id}\`, for ${formatAmount(value)}. What is decided later wins.`,
  );
}

const faultCount = (counts: PeopleCounts) =>
  (counts.refused ?? 0) + (counts.failed ?? 0) + (counts.unknown ?? 0) + (counts.overtaken ?? 0);

function notesOf({ request, evidence, trouble }: CardFacts): Markup[] {
  return [
    ...(evidence?.kind === 'read' ? [evidenceNote(evidence.evidence)] : []),
    markup`Request \`${request.id}\`, asked ${readerTime(new Date(request.created_at))}. Amounts are Standard Credits.`,
    ...(trouble === undefined ? [] : [markup`It comes to you because LIMITS_CHANNEL cannot be used. ${trouble}`]),
  ];
}

function buttonsOf({ id, state }: LimitRequest): Block[] {
  switch (state) {
    case 'pending':
      return [actions(reviewButton(id))];
    case 'partly_applied':
    case 'outcome_unknown':
      return [actions(retryButton(id), showButton(id))];
    case 'approved':
    case 'applying':
    case 'applied':
    case 'denied':
    case 'withdrawn':
    case 'expired':
      return [];
    default:
      return state satisfies never;
  }
}
