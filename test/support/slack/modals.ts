import { z } from 'zod';
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
  fits = /./,
): Promise<ViewView> {
  const since = slack.mark();
  const delivery = await slack.control.command({ as, channel, command, text });
  if (!delivery.inTime) throw new Error(`${command} was not acknowledged in time`);
  return nextView(slack, since, fits, idOf(slack, as));
}

/**
 * Fills in the top modal as a person does: what is shown, then a choice that shows other fields, and *More options* for a
 * field that is still hidden. Waits for the bot's answer to each of them.
 *
 * @returns the form as it was last shown
 */
export async function fillForm(slack: SandboxSlack, as: string, values: FormValues): Promise<ViewView> {
  let { view } = await slack.control.type({ as, values: {} });
  const remaining = new Map(Object.entries(values));
  for (;;) {
    const inputs = inputsOf(view);
    const typed = [...remaining].filter(([id]) => inputs.get(id)?.isSent === false);
    const choice = [...remaining.keys()].find((id) => inputs.get(id)?.isSent);
    for (const [id] of typed) remaining.delete(id);
    const typedValues = typed.map(([id, field]) => [id, addressed(inputs.get(id), field)] as const);
    await slack.control.type({ as, values: Object.fromEntries(typedValues) });
    const since = slack.mark();
    if (choice !== undefined) {
      const chosen = { [choice]: addressed(inputs.get(choice), remaining.get(choice)) };
      remaining.delete(choice);
      await slack.control.type({ as, values: chosen });
      view = await nextView(slack, since, /./, idOf(slack, as));
    } else {
      // A field that is to be empty need not be shown.
      const missing = [...remaining].filter(([, field]) => Object.values(field).some((value) => value !== null));
      if (missing.length === 0) return view;
      if (!moreButtonOf(view)) throw new Error(`The form has no field “${missing[0]?.[0]}”: ${textOfView(view)}`);
      view = await showMore(slack, as);
    }
  }
}

type Typed = FormValues[string];
/** The same value under the action id that the view gives the input. */
const addressed = (input: Input | undefined, field: Typed = {}): Typed =>
  input ? Object.fromEntries(Object.values(field).map((value) => [input.actionId, value])) : field;

const viewSchema = z.object({ blocks: z.array(z.looseObject({ type: z.string() })) });
const blocksOf = ({ view }: ViewView) => viewSchema.parse(view).blocks;

const moreSchema = z.object({
  block_id: z.string(),
  elements: z.tuple([z.object({ action_id: z.string(), value: z.literal('more') })]),
});

const labelSchema = z.object({ type: z.literal('input'), label: z.object({ text: z.string() }) });

/** The labels of the inputs of a view, in their order. */
export const inputLabelsOf = (view: ViewView): string[] =>
  blocksOf(view).flatMap((block) => labelSchema.safeParse(block).data?.label.text ?? []);

/** The button that shows all fields; undefined if they are shown. */
function moreButtonOf(view: ViewView): { blockId: string; actionId: string } | undefined {
  const more = blocksOf(view).flatMap((block) => moreSchema.safeParse(block).data ?? [])[0];
  return more && { blockId: more.block_id, actionId: more.elements[0].action_id };
}

/** Presses *More options* in the top modal. */
export async function showMore(slack: SandboxSlack, as: string): Promise<ViewView> {
  const { view } = await slack.control.type({ as, values: {} });
  const more = moreButtonOf(view);
  if (!more) throw new Error('The form shows all fields');
  const since = slack.mark();
  await slack.control.click({ as, source: { in: 'modal' }, ...more });
  return nextView(slack, since, /./, idOf(slack, as));
}

interface Input {
  actionId: string;
  /** Whether Slack delivers a choice in it at once. */
  isSent: boolean;
}

/** The inputs of a view by block id. */
const inputsOf = (view: ViewView): Map<string, Input> =>
  new Map(
    blocksOf(view).flatMap((block) => {
      const element = z.object({ action_id: z.string() }).safeParse(block['element']).data;
      const input = { actionId: element?.action_id ?? '', isSent: block['dispatch_action'] === true };
      return block.type === 'input' && element ? [[String(block['block_id']), input] as const] : [];
    }),
  );

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
  const kept = messages.findLast(({ blocks }) => JSON.stringify(blocks).includes('Finish setting up'));
  if (!kept) throw new Error('No form was kept');
  const since = slack.mark();
  await clickButton(slack, as, kept, 'Finish setting up', 'dm');
  return nextView(slack, since, /./, idOf(slack, as));
}

/** Another user may be shown something at the same time. */
const idOf = (slack: SandboxSlack, as: string) => slack.workspace.findPerson(as)?.id;
