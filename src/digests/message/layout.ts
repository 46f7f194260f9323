import { checkBlocks, countMessageCharacters, MESSAGE_CHARACTERS_BUDGET } from '../../slack/blocks/rules/index.ts';
import { header, section, type Block } from '../../slack/blocks/blocks.ts';
import { faultParagraph, type AnyParagraph } from '../../slack/blocks/paragraphs.ts';
import { markup } from '../../base/text/markup.ts';
import type { SectionRead } from '../core/sections.ts';

const MAX_BLOCKS = 50;
/** Slack takes two in a message; one is enough to look at, a second where it was asked for. */
const MAX_CHARTS = 2;

const isChart = ({ type }: Block) => type === 'data_visualization';

export interface Layout {
  blocks: Block[];
  /** Sections that did not fit: they are told in the thread. */
  moved: string[];
}

/**
 * Puts sections below each other as far as they fit into one message that Slack takes, beside what else stands in it. A
 * section that does not fit is named, and told in the thread. Pure.
 */
export function layOut(sections: readonly SectionRead[], around: readonly Block[]): Layout {
  const all = layOutWithin(sections, () => true);
  // Checking costs milliseconds, and nearly every digest fits as it is.
  if (fits([...all.blocks, ...around], MAX_BLOCKS)) return all;
  return layOutWithin(sections, (blocks, left) => fits([...blocks, ...around], MAX_BLOCKS - left));
}

/** @param mayStand whether these blocks fit when so many more have to follow */
function layOutWithin(
  sections: readonly SectionRead[],
  mayStand: (blocks: readonly Block[], left: number) => boolean,
): Layout {
  const withTitles = sections.length > 1;
  const layout: Layout = { blocks: [], moved: [] };
  for (const [index, one] of sections.entries()) {
    // The point above is its title.
    const isLead = index === 0 && one.reading.kind !== 'unreadable' && one.reading.point !== undefined;
    const title = withTitles && !isLead ? [header(one.title)] : [];
    const own = withoutChartsPast(
      sectionParagraph(one).blocks,
      MAX_CHARTS - layout.blocks.filter((block) => isChart(block)).length,
    );
    const next = [...layout.blocks, ...title, ...own];
    // Each section that is still to come needs at least a line.
    const left = sections.length - index - 1;
    if (mayStand(next, left)) {
      layout.blocks = next;
      continue;
    }
    layout.moved.push(one.id);
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

/** The sections that say more, or were moved, in the thread. */
export function detailsOf(sections: readonly SectionRead[], moved: readonly string[]): string[] {
  return sections.filter((one) => moved.includes(one.id) || hasDetail(one)).map(({ id }) => id);
}
