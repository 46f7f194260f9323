import {
  checkBlocks,
  countMessageCharacters,
  MESSAGE_CHARACTERS_BUDGET,
} from '../../../core/slack/blocks/rules/index.ts';
import { header, section, type Block } from '../../../core/slack/blocks/blocks.ts';
import { faultParagraph, type AnyParagraph } from '../../../core/slack/blocks/paragraphs.ts';
import { markup } from '../../../core/base/text/markup.ts';
import type { SectionRead } from '../core/sections.ts';

const MAX_BLOCKS = 50;
/** Slack accepts two in a message. */
const MAX_CHARTS = 2;

const isChart = ({ type }: Block) => type === 'data_visualization';

export interface Layout {
  blocks: Block[];
  /** The sections that did not fit: they are posted in the thread. */
  movedToThread: string[];
}

/** A section that does not fit into one message is named, and posted in the thread. */
export function layOut(sections: readonly SectionRead[], around: readonly Block[]): Layout {
  const all = layOutWithin(sections, () => true);
  // Checking costs milliseconds, and nearly every digest fits as it is.
  if (fits([...all.blocks, ...around], MAX_BLOCKS)) return all;
  return layOutWithin(sections, (blocks, remaining) => fits([...blocks, ...around], MAX_BLOCKS - remaining));
}

/** @param hasRoom whether these blocks fit if this many sections follow */
function layOutWithin(
  sections: readonly SectionRead[],
  hasRoom: (blocks: readonly Block[], remaining: number) => boolean,
): Layout {
  const withTitles = sections.length > 1;
  const layout: Layout = { blocks: [], movedToThread: [] };
  for (const [index, one] of sections.entries()) {
    // The main point above serves as its title.
    const isLead = index === 0 && one.reading.kind !== 'unreadable' && one.reading.point !== undefined;
    const title = withTitles && !isLead ? [header(one.title)] : [];
    const own = withoutChartsPast(
      sectionParagraph(one).blocks,
      MAX_CHARTS - layout.blocks.filter((block) => isChart(block)).length,
    );
    const next = [...layout.blocks, ...title, ...own];
    // Each remaining section needs at least a line.
    const remaining = sections.length - index - 1;
    if (hasRoom(next, remaining)) {
      layout.blocks = next;
      continue;
    }
    layout.movedToThread.push(one.id);
    layout.blocks = [...layout.blocks, section(markup`*${one.title}* is in the thread.`)];
  }
  return layout;
}

function fits(blocks: readonly Block[], maximum: number): boolean {
  if (blocks.length > maximum || countMessageCharacters(blocks) > MESSAGE_CHARACTERS_BUDGET) return false;
  return checkBlocks(blocks, 'message').length === 0;
}

function withoutChartsPast(blocks: readonly Block[], allowed: number): Block[] {
  let charts = 0;
  return blocks.filter((block) => {
    if (!isChart(block)) return true;
    charts += 1;
    return charts <= allowed;
  });
}

export function sectionParagraph({ title, reading }: Pick<SectionRead, 'title' | 'reading'>): AnyParagraph {
  if (reading.kind === 'unreadable') return faultParagraph(title, reading);
  return { blocks: reading.blocks, lines: [reading.text] };
}

const hasDetail = ({ reading }: SectionRead) => reading.kind !== 'unreadable' && reading.detail !== undefined;

/** Returns the sections with details in the thread, including those that did not fit. */
export function detailsOf(sections: readonly SectionRead[], movedToThread: readonly string[]): string[] {
  return sections.filter((one) => movedToThread.includes(one.id) || hasDetail(one)).map(({ id }) => id);
}
