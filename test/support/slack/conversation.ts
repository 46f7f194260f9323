import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import type { SandboxSlack } from '../../../src/sandbox/slack/index.ts';

/** Types a slash command and returns the final answer that the person alone sees. */
export async function typeCommand(
  slack: SandboxSlack,
  as: string,
  command: string,
  text = '',
  channel = 'general',
): Promise<MessageView> {
  const since = slack.mark();
  const delivery = await slack.control.command({ as, channel, command, text });
  if (!delivery.inTime) throw new Error(`${command} was not acknowledged in time: ${delivery.error ?? ''}`);
  return nextAnswer(slack, since);
}

/** The next answer that only this user sees, whether new or in place of another; progress messages are no answer. */
export async function nextAnswer(
  slack: SandboxSlack,
  since: number,
  wait: { timeoutMs?: number } = {},
): Promise<MessageView> {
  const isAnswer = ({ message }: { message: MessageView }) => message.isEphemeral && !message.text.endsWith('…');
  return (await slack.next(['ephemeral', 'message_updated'], isAnswer, { ...wait, since })).message;
}

/** The action id of the button with this label. */
function buttonOf(message: MessageView, label: string): string {
  const buttons = message.blocks.flatMap((block) => (Array.isArray(block['elements']) ? block['elements'] : []));
  const found = buttons.find((element) => element?.type === 'button' && element.text?.text === label);
  if (!found) throw new Error(`No button “${label}” in: ${JSON.stringify(message.blocks)}`);
  return String(found.action_id);
}

/** Clicks the button with this label. */
export async function clickButton(
  slack: SandboxSlack,
  as: string,
  message: MessageView,
  label: string,
  channel = 'general',
): Promise<void> {
  const source = { in: 'message' as const, channel, ts: message.ts };
  const delivery = await slack.control.click({ as, source, actionId: buttonOf(message, label) });
  if (!delivery.inTime) throw new Error(`The click on “${label}” was not acknowledged in time`);
}

/** The full text of a message: its text and every text in its blocks. */
export function everythingIn(message: MessageView): string {
  return `${message.text}\n${JSON.stringify(message.blocks)}`;
}
