/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
import { blockId } from './composition.ts';
import {
  boolean,
  choice,
  list,
  number,
  object,
  pick,
  string,
  typed,
  whole,
  type Members,
  type Types,
} from './shape.ts';

const style = object({
  may: { bold: boolean, italic: boolean, strike: boolean, code: boolean, underline: boolean },
});
const mentionStyle = object({
  may: {
    bold: boolean,
    italic: boolean,
    strike: boolean,
    underline: boolean,
    highlight: boolean,
    client_highlight: boolean,
    unlink: boolean,
  },
});

/** The kinds that `@slack/types` describes. The page names more; their members are not in it, so they are refused. */
const inline = {
  broadcast: { needs: { range: choice('here', 'channel', 'everyone') }, may: { style } },
  channel: { needs: { channel_id: string() }, may: { style: mentionStyle } },
  color: { needs: { value: string() }, may: { style } },
  date: { needs: { timestamp: number, format: string() }, may: { url: string(), fallback: string(), style } },
  emoji: { needs: { name: string() }, may: { unicode: string(), url: string(), skin_tone: whole(1, 6), style } },
  link: { needs: { url: string() }, may: { text: string(), unsafe: boolean, style } },
  team: { needs: { team_id: string() }, may: { style } },
  text: { needs: { text: string() }, may: { style } },
  user: { needs: { user_id: string() }, may: { style: mentionStyle } },
  usergroup: { needs: { usergroup_id: string() }, may: { style: mentionStyle } },
} satisfies Types;

const border = choice(0, 1);

// The Python SDK allows empty `elements`, but Slack refused them in July 2026:
// https://github.com/NousResearch/hermes-agent/pull/59621
const parts = {
  rich_text_section: { needs: { elements: list(typed(inline)) } },
  rich_text_preformatted: { needs: { elements: list(typed(pick(inline, 'text', 'link'))) }, may: { border } },
  rich_text_quote: { needs: { elements: list(typed(inline)) }, may: { border } },
} satisfies Types;

const richTextList: Members = {
  needs: { style: choice('bullet', 'ordered'), elements: list(typed(pick(parts, 'rich_text_section'))) },
  may: { indent: whole(0, 8), offset: whole(0), border },
};

export const richTextBlock: Members = {
  needs: { elements: list(typed({ ...parts, rich_text_list: richTextList })) },
  may: { block_id: blockId },
};

export const richText = typed({ rich_text: richTextBlock });
