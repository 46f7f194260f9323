import { commandText, plainWord } from '../../../core/slack/commands/command-text.ts';
import { button, context, section, type BlockMessage, type Button } from '../../../core/slack/blocks/blocks.ts';
import {
  blocksOf,
  buttonRow,
  heading,
  messageOf,
  NOTHING,
  note,
  prose,
  smallPrint,
  type AnyParagraph,
  type Paragraph,
} from '../../../core/slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { lengthOf, type Period } from '../../../core/base/time/calendar.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { explainButton } from '../../../core/figures/explanation/explanation-modal.ts';
import { figuresOfPeriod, latenessWords, titleOf, weekdayNameOf } from '../core/period-words.ts';
import { capital } from '../core/describe.ts';
import { isUnpublished } from '../core/wait.ts';
import { correctedMark } from './corrections.ts';
import { detailsOf, layOut, sectionParagraph } from './layout.ts';
import type { Correction } from '../core/digest-payload.ts';
import type { SectionRead } from '../core/sections.ts';
import type { Cadence } from '../core/settings.ts';

export const FULL_DIGEST_ACTION = 'digest_whole';
export const EXPLAIN_ACTION = 'digest_explain';

/** A digest that is later than this says why. */
const LATE_AFTER_MS = 15 * 60_000;

export interface DigestView {
  cadence: Cadence;
  period: Period;
  sections: readonly SectionRead[];
  /** The people that it covers, if not the whole organization. */
  audience: string | undefined;
  dueAt: Date;
  sentAt: Date;
  waitedFor: string | undefined;
  corrections: readonly Correction[];
  /** Set if everything was usual, so that one line is enough. Its button carries this value. */
  quietButtonValue: string | undefined;
  /** Whether it follows a quiet morning because the figures were corrected since. */
  isRestated?: boolean;
  /** The key of its delivery; undefined for a preview. */
  key?: string | undefined;
  preview?: Markup;
}

export interface BuiltDigest {
  message: BlockMessage;
  details: string[];
  movedToThread: string[];
}

export function buildDigest(view: DigestView): BuiltDigest {
  const lead = leadOf(view);
  if (view.quietButtonValue !== undefined)
    return { message: quietMessage(view, lead, view.quietButtonValue), details: [], movedToThread: [] };
  const end = [
    note(unchangedText(view.sections)),
    lateParagraph(view),
    buttonRow(...usageButtons(view.period), ...explainButtons(view)),
  ];
  const sectionsWithContent = view.sections.filter((one) => hasOwnContent(one));
  const layout = layOut(sectionsWithContent, blocksOf([...lead, ...end]));
  const sections = { blocks: layout.blocks, lines: sectionsWithContent.flatMap((one) => sectionParagraph(one).lines) };
  return {
    message: messageOf(...lead, sections, ...end),
    details: detailsOf(view.sections, layout.movedToThread),
    movedToThread: layout.movedToThread,
  };
}

/** Missing days are reported once for the whole digest, and unchanged sections share a line. */
function hasOwnContent({ reading }: SectionRead): boolean {
  if (reading.kind === 'unreadable') return true;
  if (reading.unchanged !== undefined || reading.blocks.length === 0) return false;
  return reading.kind === 'ready' || Object.keys(reading.figures).length > 0;
}

/** @example unchangedText(sections) // 'No changes: readiness, enterprise controls.' */
function unchangedText(sections: readonly SectionRead[]): string {
  const unchanged = sections.flatMap(({ reading }) => (reading.kind === 'unreadable' ? [] : (reading.unchanged ?? [])));
  return unchanged.length === 0 ? '' : `No changes: ${unchanged.join(', ')}.`;
}

function pointOf(sections: readonly SectionRead[]): string | undefined {
  return sections.flatMap(({ reading }) => (reading.kind === 'unreadable' ? [] : (reading.point ?? [])))[0];
}

function leadOf(view: DigestView): AnyParagraph[] {
  const point = pointOf(view.sections) ?? '';
  return [
    ...(view.preview ? [smallPrint(view.preview)] : []),
    heading(titleOf(view.cadence, view.period, view.sentAt)),
    note(view.audience === undefined ? '' : `For ${view.audience}.`),
    prose(marksOf(view)),
    point === '' ? NOTHING : { blocks: [section(markup`*${point}*`)], lines: [point] },
  ];
}

function marksOf(view: DigestView): Markup[] {
  const corrected = view.corrections.at(-1);
  const restated = view.isRestated ? [RESTATED] : [];
  return [...restated, ...missingMarks(view), ...(corrected ? [correctedMark(corrected)] : [])];
}

const RESTATED = markup`✏️ Nothing needed attention at first. The platform has corrected these figures since.`;

function missingMarks({ period, sections }: DigestView): Markup[] {
  const kinds = new Set(sections.map(({ reading }) => reading.kind));
  if (kinds.has('unpublished'))
    return [
      lengthOf(period) === 1
        ? markup`⏳ ${figuresOfPeriod(period)} aren’t out yet. This message will fill in when they are.`
        : markup`⏳ Some of ${figuresOfPeriod(period)} aren’t out yet. This message will fill in when they are.`,
    ];
  return kinds.has('unreadable') ? [markup`⚠️ Part of this digest couldn’t be read.`] : [];
}

const explainButtons = ({ key }: DigestView): Button[] =>
  key === undefined ? [] : [explainButton(EXPLAIN_ACTION, key)];

function usageButtons({ first, last }: Period): Button[] {
  const days = first === last ? last : `${first}..${last}`;
  return [
    runCommandButton('My usage', '/usage', commandText`me ${plainWord(days)}`),
    runCommandButton('Last 7 days', '/usage', commandText`7d`),
  ];
}

function quietMessage(view: DigestView, lead: readonly AnyParagraph[], value: string): BlockMessage {
  const hasPoint = pointOf(view.sections) !== undefined;
  const normal = [normalText(view.period), unchangedText(view.sections)].filter((text) => text !== '').join(' ');
  return messageOf(
    // The header would be as tall as everything else.
    ...lead.map(({ blocks, lines }) => ({ blocks: blocks.filter(({ type }) => type === 'section'), lines })),
    ...(hasPoint ? [] : [prose(markup`*Nothing unusual.*`)]),
    { blocks: [context(markup`${titleOf(view.cadence, view.period, view.sentAt)}. ${normal}`)], lines: [normal] },
    lateParagraph(view),
    buttonRow(
      button({ text: 'Details', actionId: FULL_DIGEST_ACTION, value }),
      ...usageButtons(view.period),
      ...explainButtons(view),
    ),
  );
}

function normalText(period: Period): string {
  return lengthOf(period) === 1 ? `A normal ${weekdayNameOf(period.last)}.` : 'Nothing unusual.';
}

/** Explains a delay; if days are missing, another note explains it. */
function lateParagraph({ dueAt, sentAt, waitedFor, period, sections }: DigestView): Paragraph {
  const isMissing = sections.some(({ reading }) => reading.kind === 'unpublished');
  if (isMissing || sentAt.getTime() - dueAt.getTime() < LATE_AFTER_MS) return NOTHING;
  return note(`${capital(latenessWords(dueAt, sentAt))} late: ${lateReason(waitedFor, period)}`);
}

function lateReason(waitedFor: string | undefined, period: Period): string {
  if (waitedFor === undefined) return 'Quartermaster was down.';
  return isUnpublished(waitedFor) ? `${figuresOfPeriod(period)} came late.` : waitedFor;
}
