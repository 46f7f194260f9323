import { commandText, plainWord } from '../../slack/commands/command-text.ts';
import { button, context, section, type BlockMessage, type Button } from '../../slack/blocks/blocks.ts';
import {
  blocksOf,
  buttonRow,
  heading,
  messageOf,
  NOTHING,
  note,
  prose,
  type AnyParagraph,
  type Paragraph,
} from '../../slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../slack/blocks/messages.ts';
import { formatDay, formatMonth, formatPeriod, type Period } from '../../base/calendar.ts';
import { markup, readerTime, utcTime } from '../../base/markup.ts';
import { movedText } from './corrections.ts';
import { detailsOf, layOut, sectionParagraph } from './layout.ts';
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
  const end = [lateParagraph(view), buttonRow(...usageButtons(view.period))];
  const layout = layOut(view.sections, blocksOf([...lead, ...end]));
  const sections = { blocks: layout.blocks, lines: view.sections.flatMap((one) => sectionParagraph(one).lines) };
  return {
    message: messageOf(...lead, sections, ...end),
    details: detailsOf(view.sections, layout.moved),
    moved: layout.moved,
  };
}

/** The point of a digest is its first section's that has one. */
function pointOf(sections: readonly SectionRead[]): string | undefined {
  return sections.flatMap(({ reading }) => (reading.kind === 'unreadable' ? [] : (reading.point ?? [])))[0];
}

function leadOf(view: DigestView): AnyParagraph[] {
  const point = pointOf(view.sections) ?? '';
  return [
    heading(titleOf(view.cadence, view.period)),
    note(view.audience === undefined ? '' : `For ${view.audience}.`),
    marksOf(view),
    point === '' ? NOTHING : { blocks: [section(markup`*${point}*`)], lines: [point] },
  ];
}

/** What is missing, and what was corrected since. */
function marksOf(view: DigestView): Paragraph {
  const missing = missingText(view);
  const corrected = view.corrections.at(-1);
  const word = corrected?.isCompletion ? 'Completed' : 'Corrected';
  const what = corrected ? movedText(corrected) : '';
  const moved = what === '' ? '.' : `: ${what}.`;
  const at = new Date(corrected?.at ?? 0);
  const marks = [
    ...(missing === '' ? [] : [markup`*${missing}*`]),
    ...(corrected ? [markup`*${word}* ${readerTime(at)}${moved}`] : []),
  ];
  if (marks.length === 0) return NOTHING;
  return { blocks: [section(marks)], lines: [missing, corrected ? `${word} ${utcTime(at)}${moved}` : ''] };
}

function usageButtons({ first, last }: Period): Button[] {
  const days = first === last ? last : `${first}..${last}`;
  return [
    runCommandButton('Your own', '/usage', commandText`me ${plainWord(days)}`),
    runCommandButton('Last 7 days', '/usage', commandText`7d`),
  ];
}

/** A day on which nothing left its usual band is one line. */
function quietMessage(view: DigestView, lead: readonly AnyParagraph[], value: string): BlockMessage {
  const hasPoint = pointOf(view.sections) !== undefined;
  return messageOf(
    // The header would be as tall as all the rest.
    ...lead.map(({ blocks, lines }) => ({ blocks: blocks.filter(({ type }) => type === 'section'), lines })),
    ...(hasPoint ? [] : [prose(markup`*A quiet period.*`)]),
    { blocks: [context(markup`${titleOf(view.cadence, view.period)}. ${USUAL}`)], lines: [USUAL] },
    lateParagraph(view),
    buttonRow(button({ text: 'Show all of it', actionId: WHOLE_ACTION, value }), ...usageButtons(view.period)),
  );
}

const USUAL = 'Nothing left its usual band.';
const NOT_RUNNING = 'Quartermaster was not running.';

function missingText({ period, sections }: DigestView): string {
  const kinds = new Set(sections.map(({ reading }) => reading.kind));
  const days = period.first === period.last ? formatDay(period.last) : formatPeriod(period);
  if (kinds.has('unpublished')) return `Incomplete: the platform has not published all of ${days}.`;
  if (kinds.has('unreadable')) return 'Incomplete: a part of it could not be read.';
  return '';
}

/** Why it is late, if it is. */
function lateParagraph({ dueAt, sentAt, waitedFor }: DigestView): Paragraph {
  if (sentAt.getTime() - dueAt.getTime() < LATE_AFTER_MS) return NOTHING;
  const why = waitedFor ?? NOT_RUNNING;
  return {
    blocks: [context(markup`It was due ${readerTime(dueAt)}. ${why}`)],
    lines: [`It was due ${utcTime(dueAt)}. ${why}`],
  };
}
