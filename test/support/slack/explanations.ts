import type { MessageView, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import type { SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { clickButton, typeCommand } from './conversation.ts';
import { nextView, textOfView } from './modals.ts';

const EXPLAIN = 'How was this worked out?';

/** Presses *How was this worked out?* on a message and returns the text of the modal. */
export async function explain(
  slack: SandboxSlack,
  as: string,
  message: MessageView,
  channel = 'agent-usage',
): Promise<string> {
  const since = slack.mark();
  await clickButton(slack, as, message, EXPLAIN, channel);
  return textOfView(await nextView(slack, since));
}

/** Types `/usage` with these words, and presses *How was this worked out?*. */
export async function explainUsage(slack: SandboxSlack, as: string, words: string): Promise<string> {
  return explain(slack, as, await typeCommand(slack, as, '/usage', words, 'agent-usage'));
}

/** Presses *Check now* in the modal that is open. @returns the first text of the modal, which is the result */
export async function pressCheck(slack: SandboxSlack, as: string, actionId = 'usage_check_now'): Promise<string> {
  const since = slack.mark();
  await slack.control.click({ as, source: { in: 'modal' }, actionId });
  return resultOf(await nextView(slack, since));
}

function resultOf({ view }: ViewView): string {
  const [first] = Array.isArray(view['blocks']) ? view['blocks'] : [];
  return String(first?.text?.text ?? '');
}
