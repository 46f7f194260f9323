import type { Logger } from '../log.ts';
import type { OutgoingMessage } from '../outbox/poster.ts';
import { withoutTrailing } from '../trailing.ts';
import { checkBlocks } from './block-rules/index.ts';
import type { ChartSupport } from './chart-support.ts';
import { clipMarkup } from './text.ts';

/** Slack advises no more for a message that is text alone. */
const LONGEST_TEXT = 3_900;
/** Beside blocks the text is for notifications and screen readers, and says all that they say; Slack cuts it at 40,000. */
const LONGEST_TEXT_BESIDE_BLOCKS = 20_000;
/** chat.update refuses more than 4,000, counted as UTF-8 bytes. */
const LONGEST_EDIT_BYTES = 3_990;

/**
 * Sends a message in the fullest form that Slack takes: whole, then without charts (a workspace that does not know them
 * yet), then as text alone. One broken rule would lose the whole message, so the blocks are checked here too.
 *
 * @param send sends one form; answers whether Slack refused its blocks, in which case nothing was sent
 * @returns the outcome of the last form that was tried
 */
export async function sendFullestForm<Outcome>(
  message: OutgoingMessage,
  parts: { charts: ChartSupport; log: Logger },
  send: (form: OutgoingMessage) => Promise<{ areBlocksRefused: boolean; outcome: Outcome }>,
): Promise<Outcome> {
  const forms = formsOf(message, parts);
  let sent = await send(forms[0].message);
  let refused = forms[0];
  for (const form of forms.slice(1)) {
    if (!sent.areBlocksRefused) break;
    parts.log.warn({ form: form.name }, 'Slack refused the blocks of a message; a simpler form is sent');
    sent = await send(form.message);
    if (!sent.areBlocksRefused && refused.name === 'full' && form.name === 'without charts') parts.charts.noteRefusal();
    refused = form;
  }
  return sent.outcome;
}

interface Form {
  name: 'full' | 'without charts' | 'text';
  message: OutgoingMessage;
}

const isChart = (block: object) => 'type' in block && block.type === 'data_visualization';

function formsOf(message: OutgoingMessage, parts: { charts: ChartSupport; log: Logger }): [Form, ...Form[]] {
  const text: Form = { name: 'text', message: withoutBlocks(message) };
  if (!message.blocks || !hasSafeBlocks(message.blocks, parts.log)) return [text];
  const full: Form = {
    name: 'full',
    message: { ...message, text: clipMarkup(message.text, LONGEST_TEXT_BESIDE_BLOCKS) },
  };
  // Each chart has its numbers beside it, so nothing is lost without it.
  const blocks = message.blocks.filter((block) => !isChart(block));
  if (blocks.length === message.blocks.length) return [full, text];
  const plain: Form = { name: 'without charts', message: { ...full.message, blocks } };
  return parts.charts.isLikely() ? [full, plain, text] : [plain, text];
}

/** The message as text alone: what the blocks say, without their form. */
function withoutBlocks({ blocks: _blocks, ...message }: OutgoingMessage): OutgoingMessage {
  return { ...message, text: clipMarkup(message.text, LONGEST_TEXT) };
}

/** Every broken rule goes to the log. */
function hasSafeBlocks(blocks: readonly object[], log: Logger): boolean {
  const violations = checkBlocks(blocks, 'message');
  if (violations.length > 0) log.error({ violations }, 'A message breaks Slack’s rules and is sent as text');
  return violations.length === 0;
}

/** Cuts the text of a message that is edited, without breaking a character in two. */
export function clipForEdit(text: string): string {
  if (Buffer.byteLength(text) <= LONGEST_EDIT_BYTES) return text;
  const cut = Buffer.from(text).subarray(0, LONGEST_EDIT_BYTES - 3);
  return `${withoutTrailing(new TextDecoder('utf-8', { fatal: false }).decode(cut), '\uFFFD')}…`;
}
