import { z } from 'zod';
import { markup } from '../../base/text/markup.ts';
import { context, section, type Block } from './blocks.ts';
import type { UserError } from './faults.ts';
import { checkView } from './rules/index.ts';
import type { ModalView } from './views.ts';

/** By the member of a field's state: the member that fills the field in. */
const INITIAL_MEMBERS = {
  value: 'initial_value',
  selected_option: 'initial_option',
  selected_options: 'initial_options',
  selected_conversation: 'initial_conversation',
  selected_users: 'initial_users',
  selected_time: 'initial_time',
  selected_date_time: 'initial_date_time',
} as const;

const text = z.looseObject({ type: z.literal('plain_text'), text: z.string().max(100) });
const members = z.record(z.string(), z.unknown());
const block = z.custom<Block>((value) => members.safeParse(value).success);

const formSchema = z.object({
  title: text,
  submit: text,
  close: text.nullish(),
  callback_id: z.string().max(255),
  private_metadata: z.string().max(3_000).default(''),
  blocks: z.array(block).max(100),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), members)) }),
});
const fieldSchema = z.looseObject({
  block_id: z.string().max(255),
  element: z.looseObject({ action_id: z.string().max(255) }),
});

const FAULT_BLOCK = 'quartermaster_fault';

/**
 * Shows what was typed below the fault, so that the form can be sent again. A file has to be chosen again.
 *
 * @param view as Slack sent it; nothing is returned for one without its blocks, or one that Slack would refuse
 */
export function formAgain(view: unknown, { sentence, reference }: UserError): ModalView | undefined {
  const form = formSchema.safeParse(view).data;
  if (!form) return undefined;
  const { blocks, state, close, ...frame } = form;
  const why = [
    { ...section(markup`*${sentence}*`), block_id: FAULT_BLOCK },
    {
      ...context(markup`The form below is as you filled it in. Reference for the server log: \`${reference}\``),
      block_id: `${FAULT_BLOCK}_reference`,
    },
  ];
  const formBlocks = blocks.filter((one) => !String(one['block_id']).startsWith(FAULT_BLOCK));
  const filled = formBlocks.map((one) => sendable(fillIn(one, state.values)));
  const again: ModalView = { type: 'modal', ...frame, ...(close ? { close } : {}), blocks: [...why, ...filled] };
  return checkView(again).length === 0 ? again : undefined;
}

function fillIn(block: Block, values: z.infer<typeof formSchema>['state']['values']): Block {
  const field = block.type === 'input' ? fieldSchema.safeParse(block).data : undefined;
  if (!field) return block;
  const { element } = field;
  const bare = Object.entries(element).filter(([name]) => !name.startsWith('initial_'));
  const state = values[field.block_id]?.[element.action_id] ?? {};
  const initial = Object.entries(INITIAL_MEMBERS).flatMap(([member, name]) => {
    const value = state[member];
    return value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]];
  });
  return { ...block, element: Object.fromEntries([...bare, ...initial]) };
}

/** Without the members that Slack adds to what it was sent. */
function sendable<Value>(value: Value): Value;
function sendable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => sendable(one));
  const object = members.safeParse(value).data;
  if (!object) return value;
  const sendableMembers = Object.entries(object).filter(
    ([name, value]) =>
      value !== null &&
      name !== 'dispatch_action_config' &&
      (value !== false || name === 'emoji' || name === 'verbatim'),
  );
  return Object.fromEntries(sendableMembers.map(([name, value]) => [name, sendable(value)]));
}
