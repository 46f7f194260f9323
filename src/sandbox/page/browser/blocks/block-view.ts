import { html } from 'htm/preact';
import type { ComponentType, VNode } from 'preact';
import { recordsOf, stringOf, type Json } from '../core/json.ts';
import { ChartView } from '../chart/chart-view.ts';
import { MarkdownText } from '../text/markdown-view.ts';
import { RichText } from '../text/rich-text-view.ts';
import { CardView, CarouselView } from './card-view.ts';
import { ContainerView } from './container-view.ts';
import { DataTableView } from './data-table-view.ts';
import { InputBlock } from './input-block.ts';
import {
  ActionsBlock,
  AlertBlock,
  ContextBlock,
  FileBlock,
  HeaderBlock,
  ImageBlock,
  VideoBlock,
} from './plain-blocks.ts';
import { PlanView, TaskView } from './plan-view.ts';
import { SectionBlock } from './section-block.ts';
import { TableView } from './table-view.ts';

const components: Record<string, ComponentType<{ block: Json }>> = {
  actions: ActionsBlock,
  alert: AlertBlock,
  card: CardView,
  carousel: CarouselView,
  container: ({ block }) => html`<${ContainerView} block=${block} inside=${BlocksView} />`,
  context: ContextBlock,
  context_actions: ActionsBlock,
  data_table: DataTableView,
  data_visualization: ChartView,
  divider: () => html`<hr />`,
  file: FileBlock,
  header: HeaderBlock,
  image: ImageBlock,
  input: InputBlock,
  markdown: ({ block }) => html`<${MarkdownText} text=${stringOf(block['text'])} />`,
  plan: PlanView,
  rich_text: RichText,
  section: SectionBlock,
  table: TableView,
  task_card: TaskView,
  video: VideoBlock,
};

/** Draws the blocks of a message, a modal or App Home in their order. */
export function BlocksView({ blocks }: { blocks: unknown }): VNode {
  return html`<div class="blocks">
    ${recordsOf(blocks).map((block, index) => html`<${BlockView} key=${stringOf(block['block_id'], String(index))} block=${block} />`)}
  </div>`;
}

function BlockView({ block }: { block: Json }): VNode {
  const type = stringOf(block['type']);
  const component = components[type] ?? UnknownBlock;
  return html`<div class=${`block block-${type.replaceAll('_', '-')}`} data-block-id=${stringOf(block['block_id'])}>
    <${component} block=${block} />
  </div>`;
}

/** Shown instead of nothing: somebody who writes an app must see that a block came. */
function UnknownBlock({ block }: { block: Json }): VNode {
  return html`<details class="undrawn">
    <summary>A block of the type “${stringOf(block['type'], 'none')}” cannot be shown here</summary>
    <pre tabindex="0">${JSON.stringify(block, null, 2)}</pre>
  </details>`;
}
