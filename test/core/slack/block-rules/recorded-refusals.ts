import { actions, button, input, long, many, mrkdwn, option, plain } from './example-parts.ts';

/** A refusal by Slack itself, as a user reported it in public. */
export interface RecordedRefusal {
  what: string;
  address: string;
  /** The sent payload, without its unrelated parts. */
  sent: { blocks: unknown[]; surface: 'message' | 'modal' } | { view: Record<string, unknown> };
  pointer: string;
  /** Slack’s words; missing if the report shows only that it was refused. */
  said?: string;
}

const modal = (blocks: unknown[], more: Record<string, unknown> = {}) => ({
  type: 'modal',
  title: plain('Request'),
  submit: plain('Send'),
  blocks,
  ...more,
});
const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
const select = (options: unknown[]) => ({ type: 'static_select', options });
const message = (...blocks: unknown[]) => ({ blocks, surface: 'message' as const });
const divider = { type: 'divider' };

export const RECORDED_REFUSALS: readonly RecordedRefusal[] = [
  {
    what: 'a section whose text has 3,001 characters',
    address: 'https://github.com/yonicd/slackreprex/issues/3',
    sent: message(section(long(3_001))),
    pointer: '/blocks/0/text/text',
    said: 'must be less than 3001 characters',
  },
  {
    what: 'actions with 26 buttons',
    address: 'https://github.com/adobe/spacecat-api-service/issues/176',
    sent: message(section('Sites'), { type: 'actions', elements: many(26, (index) => button(`b${index}`)) }),
    pointer: '/blocks/1/elements',
    said: 'no more than 25 items allowed',
  },
  {
    what: 'a section with eleven fields',
    address: 'https://github.com/getsentry/eng-pipes/issues/725',
    sent: message(divider, divider, divider, { type: 'section', fields: many(11, () => mrkdwn('an option')) }),
    pointer: '/blocks/3/fields',
    said: 'no more than 10 items allowed',
  },
  {
    what: 'twelve fields, from another program',
    address: 'https://github.com/slack-go/slack/issues/697',
    sent: message({ type: 'section', fields: many(12, () => mrkdwn('piet')) }),
    pointer: '/blocks/0/fields',
  },
  {
    what: 'a message of 51 blocks',
    address: 'https://github.com/ryanrosello-og/playwright-slack-report/issues/180',
    sent: message(...many(51, () => divider)),
    pointer: '/blocks',
    said: 'no more than 50 items allowed',
  },
  {
    what: 'a modal of 101 blocks',
    address: 'https://github.com/grafana-cold-storage/oncall/pull/210',
    sent: { view: modal(many(101, () => divider)) },
    pointer: '/blocks',
    said: 'no more than 100 items allowed',
  },
  {
    what: 'an option whose text has 76 characters',
    address: 'https://github.com/rtCamp/frappe-slack-connector/issues/54',
    sent: { view: modal([divider, divider, input(select([{ text: plain(long(76)), value: 'v' }]))]) },
    pointer: '/blocks/2/element/options/0/text/text',
    said: 'must be less than 76 characters',
  },
  {
    what: 'an option whose value has 151 characters',
    address: 'https://github.com/slackapi/bolt-python/issues/838',
    sent: message(actions(select([{ text: plain('label'), value: long(151) }]))),
    // The rules accept 75, as Slack’s documentation had it before, so their words differ.
    pointer: '/blocks/0/elements/0/options/0/value',
  },
  {
    what: 'an option of a menu in mrkdwn',
    address: 'https://github.com/slackapi/java-slack-sdk/issues/1291',
    sent: { view: modal([input(select([{ text: mrkdwn('*Open*'), value: 'v' }]))]) },
    pointer: '/blocks/0/element/options/0/text/type',
  },
  {
    what: 'the same, from another program',
    address: 'https://github.com/nicklambourne/slackblocks/issues/64',
    sent: { view: modal([input({ type: 'multi_static_select', options: [{ text: mrkdwn('dev'), value: 'dev' }] })]) },
    pointer: '/blocks/0/element/options/0/text/type',
  },
  {
    what: 'an option with an empty url',
    address: 'https://github.com/slack-go/slack/issues/612',
    sent: message(actions(select([{ ...option('run_job'), url: '' }]))),
    pointer: '/blocks/0/elements/0/options/0',
  },
  {
    what: 'an option that names its own type',
    address: 'https://github.com/CopilotKit/CopilotKit/pull/6454',
    sent: message(actions(select([{ ...option('a'), type: 'option' }]))),
    pointer: '/blocks/0/elements/0/options/0',
  },
  {
    what: 'a title of 25 characters',
    address: 'https://github.com/jeremeamia/slack-block-kit/issues/3',
    sent: { view: modal([divider], { title: plain('this is a really long one') }) },
    pointer: '/title/text',
  },
  {
    what: 'a title that is far too long, in an update',
    address: 'https://github.com/slackapi/bolt-python/issues/241',
    sent: { view: modal([section('Done')], { title: plain('This text is way too long for the title') }) },
    pointer: '/title/text',
  },
  {
    what: 'a modal with a member that there is not',
    address: 'https://github.com/nicklambourne/slackblocks/issues/36',
    sent: { view: modal([divider], { submit_disabled: false }) },
    pointer: '',
    said: 'invalid additional property: submit_disabled',
  },
  {
    what: 'a modal without a title',
    address: 'https://github.com/slackapi/java-slack-sdk/pull/302',
    sent: { view: { type: 'modal', blocks: [divider] } },
    pointer: '',
    said: 'missing required field: title',
  },
  {
    what: 'a modal without blocks',
    address: 'https://github.com/slackapi/java-slack-sdk/pull/302',
    sent: { view: { type: 'modal', title: plain('Request') } },
    pointer: '',
    said: 'missing required field: blocks',
  },
  {
    what: 'a modal with an input and nothing to submit it by',
    address: 'https://github.com/slackapi/node-slack-sdk/issues/875',
    sent: { view: { type: 'modal', title: plain('Request'), blocks: [input({ type: 'plain_text_input' })] } },
    pointer: '',
  },
  {
    what: 'a text input that takes more than 3,000 characters',
    address: 'https://github.com/slackapi/node-slack-sdk/issues/940',
    sent: { view: modal([input({ type: 'plain_text_input', max_length: 16_000 })]) },
    pointer: '/blocks/0/element/max_length',
  },
  {
    what: 'a section with neither text nor fields',
    address: 'https://github.com/slackapi/java-slack-sdk/issues/1017',
    sent: message({ type: 'section' }),
    pointer: '/blocks/0',
    said: 'must define either `text` or `fields`',
  },
  {
    what: 'a field of 2,001 characters',
    address: 'https://github.com/metabase/metabase/issues/25704',
    sent: message(divider, { type: 'section', fields: [mrkdwn(long(2_001))] }),
    pointer: '/blocks/1/fields/0/text',
    said: 'must be less than 2001 characters',
  },
  {
    what: 'an empty field',
    address: 'https://github.com/vvanouytsel/jetspotter/issues/26',
    sent: message({ type: 'section', fields: [mrkdwn('*Registration*'), mrkdwn('')] }),
    pointer: '/blocks/0/fields/1/text',
  },
  {
    what: 'an empty section with a button without a label',
    address: 'https://github.com/slackapi/bolt-js/issues/793',
    sent: message({ ...section(''), accessory: { type: 'button', action_id: 'a', text: plain('') } }),
    pointer: '/blocks/0/text/text',
  },
  {
    what: 'a header of 151 characters',
    address: 'https://github.com/Shopify/yjit-metrics/pull/398',
    sent: message({ type: 'header', text: plain(long(151)) }),
    pointer: '/blocks/0/text/text',
    said: 'must be less than 151 characters',
  },
  {
    what: 'a header of 200 characters',
    address: 'https://github.com/bugsink/bugsink/issues/317',
    sent: message({ type: 'header', text: plain(long(200)) }),
    pointer: '/blocks/0/text/text',
  },
  {
    what: 'an empty list of chosen options',
    address: 'https://github.com/maxchehab/phelia/pull/23',
    sent: {
      view: modal([input({ type: 'multi_static_select', options: [option('a')], initial_options: [] })]),
    },
    pointer: '/blocks/0/element/initial_options',
  },
  {
    what: 'radio buttons with eleven options',
    address: 'https://github.com/crownheightsaid/mutual-aid-app/issues/53',
    sent: { view: modal([input({ type: 'radio_buttons', options: many(11, (index) => option(`o${index}`)) })]) },
    pointer: '/blocks/0/element/options',
  },
  {
    what: 'a text of no known type',
    address: 'https://docs.slack.dev/reference/methods/blocks.validate',
    sent: message({ type: 'section', text: { type: 'invalid', text: 'Hello' } }),
    pointer: '/blocks/0/text/type',
    said: 'unsupported type: invalid',
  },
];
