/** What the rules once accepted, or placed wrongly. The simulated Slack, which has its own rules, judged it otherwise. */
import { expect, test } from 'vitest';
import { checkBlocks, checkView } from '../../../../src/core/slack/blocks/rules/index.ts';
import { actions, button, input, plain } from './example-parts.ts';

const REFERENCE = 'https://docs.slack.dev/reference/block-kit';
const richText = (elements: unknown[]) => ({ type: 'rich_text', elements });

test.each([
  {
    what: 'an empty block_id',
    address: 'https://gist.github.com/bmorton/735dc80697359afd4a0c7d52b901844e',
    block: { type: 'divider', block_id: '' },
    pointer: '/blocks/0/block_id',
    message: 'must be more than 0 characters',
  },
  ...['title', 'confirm', 'deny'].map((missing) => ({
    what: `a confirmation without ${missing}`,
    address: `${REFERENCE}/composition-objects/confirmation-dialog-object`,
    block: actions({
      ...button('a'),
      confirm: {
        title: plain('Sure?'),
        text: plain('Really?'),
        confirm: plain('Yes'),
        deny: plain('No'),
        [missing]: undefined,
      },
    }),
    pointer: '/blocks/0/elements/0/confirm',
    message: `missing required field: ${missing}`,
  })),
  {
    what: 'a filter of conversations that filters nothing',
    address: `${REFERENCE}/composition-objects/conversation-filter-object`,
    block: input({ type: 'conversations_select', filter: {} }),
    pointer: '/blocks/0/element/filter',
    message: expect.stringContaining('include'),
  },
  {
    what: 'an empty list of chosen people',
    address: 'https://github.com/slackapi/python-slack-sdk/pull/1576',
    block: input({ type: 'multi_users_select', initial_users: [] }),
    pointer: '/blocks/0/element/initial_users',
    message: 'no fewer than 1 items required',
  },
  {
    what: 'an empty list of file types',
    address: 'https://github.com/slackapi/python-slack-sdk/pull/1576',
    block: input({ type: 'file_input', filetypes: [] }),
    pointer: '/blocks/0/element/filetypes',
    message: 'no fewer than 1 items required',
  },
  {
    what: 'rich text without a part',
    address: 'https://github.com/NousResearch/hermes-agent/pull/59621',
    block: richText([]),
    pointer: '/blocks/0/elements',
    message: 'no fewer than 1 items required',
  },
  ...['rich_text_section', 'rich_text_preformatted'].map((type) => ({
    what: `an empty ${type}`,
    address: 'https://github.com/NousResearch/hermes-agent/pull/59621',
    block: richText([{ type, elements: [] }]),
    pointer: '/blocks/0/elements/0/elements',
    message: 'no fewer than 1 items required',
  })),
  {
    what: 'a file input that dispatches: Slack calls its type unsupported',
    address: `${REFERENCE}/blocks/input-block`,
    block: { ...input({ type: 'file_input' }), dispatch_action: true },
    pointer: '/blocks/0/element/type',
    message: 'unsupported type: file_input',
  },
  {
    what: 'a text without its type, where only one type is allowed',
    address: `${REFERENCE}/composition-objects/text-object`,
    block: { type: 'header', text: { text: 'Usage' } },
    pointer: '/blocks/0/text',
    message: 'missing required field: type',
  },
])('$what is refused at $pointer: $address', ({ block, pointer, message }) => {
  const sent: unknown = JSON.parse(JSON.stringify(block));
  const view = { type: 'modal', title: plain('a'), submit: plain('b'), blocks: [sent] };
  const found = checkView(view).map((violation) => [violation.pointer, violation.message]);
  expect(found).toEqual([[pointer, message]]);
});

test('a confirmation with all of its members is accepted', () => {
  const confirm = { title: plain('Sure?'), text: plain('Really?'), confirm: plain('Yes'), deny: plain('No') };
  expect(checkBlocks([actions({ ...button('a'), confirm })], 'message')).toEqual([]);
});
