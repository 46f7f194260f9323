import type { SectionReading } from '../feature.ts';
import { actions, context, divider, header, message, section, type Block, type BlockMessage } from '../slack/blocks.ts';
import { runCommandButton } from '../slack/messages.ts';
import { formatDay, formatPeriod, type Day } from '../slack/periods.ts';
import { escapeText, markup, readerTime, utcTime } from '../slack/text.ts';

/** A digest that comes later than this after it was due says why. */
const LATE_AFTER_MS = 15 * 60_000;

export interface DigestView {
  day: Day;
  sections: readonly { title: string; reading: SectionReading }[];
  dueAt: Date;
  sentAt: Date;
  /** Why it waited, if it did. */
  waitedFor: string | undefined;
}

/** The digest of one day. */
export function digestMessage(view: DigestView): BlockMessage {
  const title = `Daily digest, ${formatPeriod({ first: view.day, last: view.day })} (UTC)`;
  const mark = markOf(view);
  const late = lateNote(view);
  const texts = view.sections.map(({ title: name, reading }) =>
    reading.kind === 'unreadable' ? unreadableText(name, reading) : reading.text,
  );
  return message([title, mark, ...texts, late].filter((line) => line !== '').join('\n'), [
    header(title),
    ...(mark === '' ? [] : [section(markup`*${mark}*`)]),
    ...view.sections.flatMap((one, index) => [
      ...(index > 0 ? [divider()] : []),
      ...sectionBlocks(one.title, one.reading),
    ]),
    ...(late === '' ? [] : [context(markup`It was due ${readerTime(view.dueAt)}. ${view.waitedFor ?? NOT_RUNNING}`)]),
    actions(runCommandButton('Last 7 days', '/usage', '7d'), runCommandButton('Your own', '/usage', `me ${view.day}`)),
  ]);
}

const NOT_RUNNING = 'Quartermaster was not running.';

function markOf({ day, sections }: DigestView): string {
  const kinds = new Set(sections.map(({ reading }) => reading.kind));
  if (kinds.has('unpublished')) return `Incomplete: the platform has not published all of ${formatDay(day)}.`;
  if (kinds.has('unreadable')) return 'Incomplete: a part of it could not be read.';
  return '';
}

function lateNote({ dueAt, sentAt, waitedFor }: DigestView): string {
  if (sentAt.getTime() - dueAt.getTime() < LATE_AFTER_MS) return '';
  return `It was due ${utcTime(dueAt)}. ${escapeText(waitedFor ?? NOT_RUNNING)}`;
}

type Unreadable = Extract<SectionReading, { kind: 'unreadable' }>;

function unreadableText(title: string, { sentence, reference }: Unreadable): string {
  return `${title} could not be read. ${sentence} Reference ${reference}.`;
}

function sectionBlocks(title: string, reading: SectionReading): Block[] {
  if (reading.kind !== 'unreadable') return reading.blocks;
  return [section(markup`*${title} could not be read.* ${reading.sentence} Reference \`${reading.reference}\``)];
}
