import type { Names } from '../../base/privacy/disclosure.ts';
import { z } from 'zod';
import type { Logger } from '../../base/log.ts';
import type { OutgoingMessage } from '../../outbox/poster.ts';
import { blockSurfaces, checkView } from './rules/index.ts';
import { context, section, type Block } from './blocks.ts';
import type { UserError } from './faults.ts';
import { clip, clipMarkup, markup, own, plain, type Markup } from '../../base/text/markup.ts';

export interface ModalView {
  type: 'modal';
  title: PlainText;
  blocks: readonly Block[];
  submit?: PlainText;
  close?: PlainText;
  callback_id?: string;
  private_metadata?: string;
  /** Checked by createDisclosureGuard and not sent to Slack. */
  names?: Names;
}

interface PlainText {
  type: 'plain_text';
  text: string;
}

export interface ModalOptions {
  /** At most 24 characters. */
  title: string;
  blocks: readonly Block[];
  submit?: string;
  /** The `Form` that reads its submission. */
  callbackId?: string;
  /** Comes back with the submission, where any client may have changed it: parse it. */
  metadata?: string;
}

const MAX_BLOCKS = 100;
const MAX_METADATA = 3_000;
const TITLE_LENGTH = 24;
const LINES_LENGTH = 2_900;

const label = (text: string): PlainText => ({ type: 'plain_text', text: clip(plain(text), TITLE_LENGTH) || ' ' });

/**
 * Leaves out blocks past the hundredth, and the modal says so.
 *
 * @throws RangeError if Slack would refuse `metadata`: if it were cut, it would mean something else
 * @example modal({ title: 'New digest', blocks, submit: 'Create', callbackId: 'digest_new' })
 */
export function modal({ title, blocks, submit, callbackId, metadata }: ModalOptions): ModalView {
  if (metadata !== undefined && metadata.length > MAX_METADATA)
    throw new RangeError('A modal’s metadata holds at most 3,000 characters');
  const remaining = blocks.length - MAX_BLOCKS + 1;
  const fitting =
    blocks.length <= MAX_BLOCKS
      ? blocks
      : [...blocks.slice(0, MAX_BLOCKS - 1), context(markup`_${remaining} more parts did not fit._`)];
  return {
    type: 'modal',
    title: label(title),
    blocks: fitting,
    ...(submit === undefined ? {} : { submit: label(submit) }),
    close: label(submit === undefined ? 'Close' : 'Cancel'),
    ...(callbackId === undefined ? {} : { callback_id: callbackId }),
    ...(metadata === undefined ? {} : { private_metadata: metadata }),
  };
}

export function sentenceView(title: string, sentence: string | Markup): ModalView {
  return modal({ title, blocks: [section(markup`${own(sentence)}`)] });
}

export const loadingView = (title: string): ModalView => sentenceView(title, 'One moment …');

export function faultView(title: string, { sentence, reference }: UserError): ModalView {
  return modal({
    title,
    blocks: [section(markup`${sentence}`), context(markup`Reference for the server log: \`${reference}\``)],
  });
}

/** Modals allow neither charts nor tables, so such an answer is shown as its text. */
export function messageView(title: string, { text, blocks }: OutgoingMessage): ModalView {
  const all = (blocks ?? []).filter(isBlock);
  const fitting = all.filter((block) => isForModal(block));
  if (all.length > 0 && fitting.length === all.length) return modal({ title, blocks: all });
  const lines = section(clipMarkup(text, LINES_LENGTH));
  return modal({ title, blocks: [lines, ...fitting.filter((block) => block.type === 'actions')] });
}

const isBlock = (block: object): block is Block => 'type' in block && typeof block.type === 'string';
const isForModal = ({ type }: Block) =>
  Object.entries(blockSurfaces).some(([n, on]) => n === type && on.includes('modal'));

/** If the view breaks Slack's rules, returns one sentence and logs every broken rule. */
export function withSafeView(view: ModalView, log: Logger): ModalView {
  const violations = checkView(view);
  if (violations.length === 0) return view;
  log.error({ violations }, 'A modal breaks Slack’s rules and is not shown');
  return sentenceView(
    view.title.text,
    'This can’t be shown right now. Ask the server operator to look for a refused view in the log.',
  );
}

const MAX_INPUT_LENGTH = 3_000;
const short = z.string().max(200);
const optionSchema = z.object({ value: short });
/** Leaves out the labels and the addresses of files. */
const inputSchema = z.object({
  value: z.string().max(MAX_INPUT_LENGTH).nullish(),
  selected_option: optionSchema.nullish(),
  selected_options: z.array(optionSchema).nullish(),
  selected_conversation: short.nullish(),
  selected_channel: short.nullish(),
  selected_user: short.nullish(),
  selected_users: z.array(short).nullish(),
  selected_time: short.nullish(),
  selected_date_time: z.number().nullish(),
  files: z.array(z.object({ id: short })).nullish(),
});
type InputState = z.infer<typeof inputSchema>;

/** `view.state.values`: block id → action id → state. Malformed values count as empty. */
export const formValues = z.record(z.string(), z.record(z.string(), inputSchema.catch({})).catch({})).catch({});
export type FormValues = z.infer<typeof formValues>;

/** The values of a form, by the `block_id` of each input. */
export class FormState {
  readonly #inputs: Map<string, InputState>;

  constructor(values: FormValues = {}) {
    this.#inputs = new Map(
      Object.entries(values).map(([blockId, actions]) => [blockId, Object.values(actions)[0] ?? {}]),
    );
  }

  /** Whether the form showed the input. */
  has(blockId: string): boolean {
    return this.#inputs.has(blockId);
  }

  /** The typed text without surrounding spaces; empty if there is none. */
  text(blockId: string): string {
    return this.#inputs.get(blockId)?.value?.trim() ?? '';
  }

  /** The chosen value of a select or of radio buttons. */
  option(blockId: string): string | undefined {
    return this.#inputs.get(blockId)?.selected_option?.value;
  }

  /** The chosen values of a multi-select or of checkboxes. */
  options(blockId: string): string[] {
    return (this.#inputs.get(blockId)?.selected_options ?? []).map(({ value }) => value);
  }

  conversation(blockId: string): string | undefined {
    const input = this.#inputs.get(blockId);
    return input?.selected_conversation ?? input?.selected_channel ?? undefined;
  }

  users(blockId: string): string[] {
    const input = this.#inputs.get(blockId);
    return input?.selected_users ?? (input?.selected_user ? [input.selected_user] : []);
  }

  /** `HH:MM`. */
  time(blockId: string): string | undefined {
    const time = this.#inputs.get(blockId)?.selected_time ?? '';
    return /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : undefined;
  }

  dateTime(blockId: string): Date | undefined {
    const seconds = this.#inputs.get(blockId)?.selected_date_time ?? undefined;
    const instant = seconds === undefined ? undefined : new Date(seconds * 1_000);
    return instant === undefined || Number.isNaN(instant.getTime()) ? undefined : instant;
  }

  files(blockId: string): string[] {
    return (this.#inputs.get(blockId)?.files ?? []).map(({ id }) => id);
  }
}

export interface OpenModal {
  show(view: ModalView): Promise<void>;
}
