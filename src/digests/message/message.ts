import { commandText, plainWord } from '../../slack/commands/command-text.ts';
import {
  actions,
  button,
  context,
  header,
  message,
  section,
  type Block,
  type BlockMessage,
  type Button,
} from '../../slack/blocks/blocks.ts';
import { runCommandButton } from '../../slack/blocks/messages.ts';
import { formatDay, formatMonth, formatPeriod, type Period } from '../../calendar.ts';
import { joinMarkup, markup, markupLines, readerTime, utcTime, type Markup } from '../../markup.ts';
import { movedText } from './corrections.ts';
import { detailsOf, layOut, sectionText } from './layout.ts';
import type { Correction } from '../core/payload.ts';
import type { SectionRead } from '../core/sections.ts';
import { nameOf, type Cadence } from '../core/settings.ts';

export const WHOLE_ACTION = 'digest_whole';

/** A digest that comes later than this after it was due says why. */
const LATE_AFTER_MS = 15 * 60_000;

export interface DigestView {
  cadence: Cadence;
  period: Period;
  sections: readonly SectionRead[];
  /** Whom it covers, where that is not the whole organization. */
  audience: string | undefined;
  dueAt: Date;
  sentAt: Date;
  /** Why it waited, if it did. */
  waitedFor: string | undefined;
  corrections: readonly Correction[];
  /** Nothing left its usual band: one line will do. Its button carries this value. */
  quietValue: string | undefined;
}

/** A digest, and the sections that say more in its thread. */
export interface BuiltDigest {
  message: BlockMessage;
  details: string[];
  /** Those of them that the message itself leaves to the thread. */
  moved: string[];
}

/** @example titleOf('weekly', { first: '2026-02-23', last: '2026-03-01' }) // 'Weekly digest, 23 Feb – 1 Mar 2026 (UTC)' */
export function titleOf(cadence: Cadence, period: Period): string {
  const days = cadence === 'monthly' ? formatMonth(period.last) : formatPeriod(period);
  return `${nameOf(cadence)}, ${days} (UTC)`;
}

/** The digest: the point first, then the figures. */
export function buildDigest(view: DigestView): BuiltDigest {
  const lead = leadOf(view);
  if (view.quietValue !== undefined)
    return { message: quietMessage(view, lead, view.quietValue), details: [], moved: [] };
  const tail = tailOf(view);
  const end = [...(tail.notes.length > 0 ? [context(...tail.notes)] : []), actions(...tail.buttons)];
  const layout = layOut(view.sections, [...lead.blocks, ...end]);
  const texts = [...lead.texts, ...view.sections.map((one) => sectionText(one)), ...tail.texts];
  return {
    message: message(markupLines(texts), [...lead.blocks, ...layout.blocks, ...end]),
    details: detailsOf(view.sections, layout.moved),
    moved: layout.moved,
  };
}

interface Piece {
  texts: (string | Markup)[];
  blocks: Block[];
}

/** The point of a digest is its first section's that has one. */
function pointOf(sections: readonly SectionRead[]): string | undefined {
  return sections.flatMap(({ reading }) => (reading.kind === 'unreadable' ? [] : (reading.point ?? [])))[0];
}

function leadOf(view: DigestView): Piece {
  const title = titleOf(view.cadence, view.period);
  const about = view.audience === undefined ? '' : `For ${view.audience}.`;
  const mark = markOf(view);
  const corrected = view.corrections.at(-1);
  const point = pointOf(view.sections) ?? '';
  const marks: Markup[] = [
    ...(mark === '' ? [] : [markup`*${mark}*`]),
    ...(corrected
      ? [markup`*${correctionWord(corrected)}* ${readerTime(new Date(corrected.at))}${movedClause(corrected)}`]
      : []),
  ];
  return {
    texts: [
      title,
      about,
      mark,
      corrected ? `${correctionWord(corrected)} ${utcTime(new Date(corrected.at))}${movedClause(corrected)}` : '',
      point,
    ],
    blocks: [
      header(title),
      ...(about === '' ? [] : [context(markup`${about}`)]),
      ...(marks.length === 0 ? [] : [section(joinMarkup(marks, '\n'))]),
      ...(point === '' ? [] : [section(markup`*${point}*`)]),
    ],
  };
}

const correctionWord = ({ isCompletion }: Correction) => (isCompletion ? 'Completed' : 'Corrected');
const movedClause = ({ moved }: Correction) => (moved.length === 0 ? '.' : `: ${movedText(moved)}.`);

interface Tail {
  texts: (string | Markup)[];
  notes: Markup[];
  buttons: Button[];
}

function tailOf(view: DigestView): Tail {
  const late = lateReason(view);
  const { first, last } = view.period;
  const days = first === last ? last : `${first}..${last}`;
  const buttons = [
    runCommandButton('Your own', '/usage', commandText`me ${plainWord(days)}`),
    runCommandButton('Last 7 days', '/usage', commandText`7d`),
  ];
  if (late === undefined) return { texts: [], notes: [], buttons };
  return {
    texts: [`It was due ${utcTime(view.dueAt)}. ${late}`],
    notes: [markup`It was due ${readerTime(view.dueAt)}. ${late}`],
    buttons,
  };
}

/** A day on which nothing left its usual band is one line. */
function quietMessage(view: DigestView, lead: Piece, value: string): BlockMessage {
  const tail = tailOf(view);
  const hasPoint = pointOf(view.sections) !== undefined;
  const calm = hasPoint ? [] : [section(markup`*A quiet period.*`)];
  return message(markupLines([...lead.texts, USUAL, ...tail.texts]), [
    // The header would be as tall as all the rest.
    ...lead.blocks.filter(({ type }) => type === 'section'),
    ...calm,
    context(markup`${titleOf(view.cadence, view.period)}. ${USUAL}`, ...tail.notes),
    actions(button({ text: 'Show all of it', actionId: WHOLE_ACTION, value }), ...tail.buttons),
  ]);
}

const USUAL = 'Nothing left its usual band.';
const NOT_RUNNING = 'Quartermaster was not running.';

function markOf({ period, sections }: DigestView): string {
  const kinds = new Set(sections.map(({ reading }) => reading.kind));
  const days = period.first === period.last ? formatDay(period.last) : formatPeriod(period);
  if (kinds.has('unpublished')) return `Incomplete: the platform has not published all of ${days}.`;
  if (kinds.has('unreadable')) return 'Incomplete: a part of it could not be read.';
  return '';
}

function lateReason({ dueAt, sentAt, waitedFor }: DigestView): string | undefined {
  if (sentAt.getTime() - dueAt.getTime() < LATE_AFTER_MS) return undefined;
  return waitedFor ?? NOT_RUNNING;
}
