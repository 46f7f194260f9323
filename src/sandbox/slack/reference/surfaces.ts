/** Where blocks may appear, and the limits of a whole message or view. https://docs.slack.dev/reference/block-kit/blocks */
import type { blocks } from './blocks.ts';
import { plainText } from './composition.ts';
import type { elements } from './elements.ts';
import { boolean, stringOrEmpty, type Types } from './shape.ts';

export type Surface = 'message' | 'modal' | 'home';

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

export const blockSurfaces: Readonly<Record<keyof typeof blocks, readonly Surface[]>> = {
  actions: everywhere,
  alert: ['modal'],
  card: everywhere,
  carousel: ['message', 'home'],
  container: ['message', 'home'],
  context: everywhere,
  context_actions: ['message'],
  data_table: ['message', 'home'],
  data_visualization: ['message'],
  divider: everywhere,
  header: everywhere,
  image: everywhere,
  input: everywhere,
  markdown: ['message'],
  plan: ['message'],
  rich_text: everywhere,
  section: everywhere,
  table: ['message', 'home'],
  task_card: ['message'],
  video: everywhere,
};

/** Elements that are not allowed wherever their block is. */
export const elementSurfaces: Partial<Record<keyof typeof elements, readonly Surface[]>> = {
  datetimepicker: ['message', 'modal'],
  email_text_input: ['modal'],
  file_input: ['modal'],
  number_input: ['modal'],
  rich_text_input: ['modal', 'home'],
  url_text_input: ['modal'],
};

export const mostBlocks: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };

/** How many blocks of a type one message or view may have. */
export const mostOfType: Partial<Record<keyof typeof blocks, number>> = { data_visualization: 2 };

/** How many characters the blocks of a type may have together, in the texts of their cells or in `text`. */
export const mostCharacters: Partial<Record<keyof typeof blocks, number>> = {
  data_table: 20_000,
  table: 10_000,
  markdown: 12_000,
};

/**
 * Above about this many characters a message is refused with `msg_blocks_too_long`. Slack doesn't document it:
 * https://github.com/slackapi/bolt-js/issues/2509, https://github.com/metabase/metabase/issues/79908
 */
export const mostTextOfMessage = 13_200;
/** What a header costs besides its text, as measured. */
export const textOfHeader = 100;
/** Their own limits are larger than that of the message, so it can't count their texts. */
export const countedApart: readonly (keyof typeof blocks)[] = ['data_table', 'table', 'data_visualization'];

/** https://docs.slack.dev/reference/methods/views.open */
export const mostBytesOfView = 250 * 1024;

const common = {
  private_metadata: stringOrEmpty(3_000),
  callback_id: stringOrEmpty(255),
  external_id: stringOrEmpty(255),
};

/** https://docs.slack.dev/reference/views, without their `blocks` */
export const views = {
  modal: {
    needs: { title: plainText(24) },
    may: {
      ...common,
      submit: plainText(24),
      close: plainText(24),
      clear_on_close: boolean,
      notify_on_close: boolean,
    },
  },
  home: { may: common },
} satisfies Types;
