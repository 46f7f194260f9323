import { html } from 'htm/preact';
import type { ComponentType, VNode } from 'preact';
import { recordsOf, stringOf, type Json } from '../core/json.ts';
import { ChartView } from '../chart/chart-view.ts';
import { RichText } from '../text/rich-text-view.ts';
import { DataTableView } from './data-table-view.ts';
import { DRAWN_BLOCKS } from './drawn-blocks.ts';
import { InputBlock } from './input-block.ts';
import { ActionsBlock, ContextBlock, HeaderBlock } from './plain-blocks.ts';
import { SectionBlock } from './section-block.ts';

const components: Record<(typeof DRAWN_BLOCKS)[number], ComponentType<{ block: Json }>> = {
  actions: ActionsBlock,
  context: ContextBlock,
  data_table: DataTableView,
  data_visualization: ChartView,
  divider: () => html`<hr />`,
  header: HeaderBlock,
  input: InputBlock,
  rich_text: RichText,
  section: SectionBlock,
};

/** Draws the blocks of a message, a modal or App Home in their order. */
export function BlocksView({ blocks }: { blocks: unknown }): VNode {
  return html`<div class="blocks">
    ${recordsOf(blocks).map((block, index) => html`<${BlockView} key=${stringOf(block['block_id'], String(index))} block=${block} />`)}
  </div>`;
}

function BlockView({ block }: { block: Json }): VNode {
  const type = stringOf(block['type']);
  const drawn = DRAWN_BLOCKS.find((one) => one === type);
  const component = drawn ? components[drawn] : UnknownBlock;
  return html`<div class=${`block block-${type.replaceAll('_', '-')}`} data-block-id=${stringOf(block['block_id'])}>
    <${component} block=${block} />
  </div>`;
}

/** Replaces a block that cannot be drawn: the developer of an app must see that it arrived. */
function UnknownBlock({ block }: { block: Json }): VNode {
  return html`<details class="undrawn">
    <summary>cannot be shown: ${stringOf(block['type'], 'a block without a type')}</summary>
    <pre tabindex="0">${JSON.stringify(block, null, 2)}</pre>
  </details>`;
}
