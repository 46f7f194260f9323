import type { FormValues, ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import type { SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { clickButton } from './conversation.ts';

/** Every text in a view, as it was sent. */
export function textOfView({ view }: ViewView): string {
  return JSON.stringify(view);
}

/** The next view that is shown to a user, once it is more than a progress message. */
export async function nextView(slack: SandboxSlack, since: number, fits = /./, personId?: string): Promise<ViewView> {
  const isReady = ({ view, person }: { view: ViewView; person: string }) =>
    (personId === undefined || person === personId) &&
    view.type === 'modal' &&
    !/One moment …|Creating it …|Looking through the store …|Beginning …|(Saving|Saving it|Setting it up|Checking it|Sending it|Denying it|on the platform|Reading the list) …/.test(
      textOfView(view),
    ) &&
    fits.test(textOfView(view));
  const { view } = await slack.next('view_updated', isReady, { since });
  return view;
}

/** Types a command that opens a modal and returns its text when it is ready. */
export async function openByCommand(
  slack: SandboxSlack,
  as: string,
  command: string,
  text = '',
  channel = 'agent-usage',
): Promise<ViewView> {
  const since = slack.mark();
  const delivery = await slack.control.command({ as, channel, command, text });
  if (!delivery.inTime) throw new Error(`${command} was not acknowledged in time`);
  return nextView(slack, since, /./, idOf(slack, as));
}

/** Types into the top modal and waits for the bot's answer to a choice that Slack delivers at once. */
async function fillForm(slack: SandboxSlack, as: string, values: FormValues): Promise<void> {
  const since = slack.mark();
  const { deliveries } = await slack.control.type({ as, values });
  if (deliveries.length > 0) await nextView(slack, since, /./, idOf(slack, as));
}

/** Submits the top modal and returns its final text. */
export async function submitForm(slack: SandboxSlack, as: string, values: FormValues = {}): Promise<ViewView> {
  await fillForm(slack, as, values);
  const since = slack.mark();
  const { delivery } = await slack.control.submit({ as });
  if (delivery.error !== null) throw new Error(`The submission failed: ${delivery.error}`);
  return nextView(slack, since, /./, idOf(slack, as));
}

/** Closes the form for a private channel, invites the app there and opens the form again by the direct message. */
export async function finishSettingUp(slack: SandboxSlack, as: string, channel: string): Promise<ViewView> {
  await slack.control.close({ as });
  await slack.control.invite({ as, channel, who: 'app' });
  const { channels } = await slack.control.state({ as });
  const messages = channels.find(({ kind }) => kind === 'dm')?.messages ?? [];
  const kept = messages.findLast(({ blocks }) => JSON.stringify(blocks).includes('Continue'));
  if (!kept) throw new Error('No form was kept');
  const since = slack.mark();
  await clickButton(slack, as, kept, 'Continue', 'dm');
  return nextView(slack, since, /./, idOf(slack, as));
}

/** Another user may be shown something at the same time. */
const idOf = (slack: SandboxSlack, as: string) => slack.workspace.findPerson(as)?.id;
