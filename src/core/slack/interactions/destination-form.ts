import { z } from 'zod';
import { channelMention, markup } from '../../base/text/markup.ts';
import { button, type Button } from '../blocks/blocks.ts';
import { buttonRow, messageOf, prose } from '../blocks/paragraphs.ts';
import { channelField, radioField, type FormField } from './form-fields.ts';
import type { FormRule } from './forms.ts';
import type { Interaction } from './interactions.ts';
import type { Channels } from '../outbound/channels/channels.ts';

const MAX_BUTTON_VALUE = 2_000;

export interface Destination {
  /** `me`: by direct message. */
  where: 'channel' | 'me';
  channel: string | undefined;
}

/** The channel in which a form was opened; from a direct message, it is the person. */
export function destinationOf(channel: string): Destination {
  return /^[CG]/.test(channel) ? { where: 'channel', channel } : { where: 'me', channel: undefined };
}

const whereField = (label: string, actionId: string): FormField<Destination['where'], unknown> => ({
  ...radioField(() => ({
    label,
    actionId,
    options: [
      { value: 'channel', text: 'To a channel' },
      { value: 'me', text: 'To me, by direct message' },
    ],
  })),
  read: (state, id) => (state.option(id) === 'me' ? 'me' : 'channel'),
  // Only forms for a channel are stored.
  draft: z.literal('channel'),
});

/** @param actionId the action that shows the form again after a choice */
export const destinationFields = (label: string, actionId: string) => ({
  where: whereField(label, actionId),
  channel: channelField(() => ({
    label: 'Channel',
    hint: 'Quartermaster joins public channels by itself. In a private one, type /invite @Quartermaster first. To get a direct message instead, press More options.',
  })),
});

/** A short form that was opened in a channel asks for the channel alone. */
export const asksForWhere = (
  { showsAllFields }: { showsAllFields?: boolean | undefined },
  { where }: Destination,
): boolean => showsAllFields === true || where === 'me';

export const isForChannel = (_facts: unknown, { where }: Destination): boolean => where === 'channel';

export const destinationRule = ({ where, channel }: Destination): FormRule => [
  where === 'channel' && !/^[CG]\w+$/.test(channel ?? ''),
  'channel',
  'Choose a channel, or have it sent to you.',
];

/** Three sentences name this button. */
const FINISH = 'Finish setting up';

/** The button stores the choices. If chosen people and long texts do not fit, the people must be chosen again. */
export function finishButton(actionId: string, draft: { people: readonly string[] }): Button {
  const whole = JSON.stringify(draft);
  const value = whole.length <= MAX_BUTTON_VALUE ? whole : JSON.stringify({ ...draft, people: [] });
  return button({ text: FINISH, actionId, value, style: 'primary' });
}

/** People choose from channels that they see, so it exists. Slack covers the composer while a form is open. */
const NOT_INVITED = `Quartermaster is not in this channel. Close this form and type /invite @Quartermaster in the channel. Then press “${FINISH}” in the direct message that Quartermaster just sent you: it kept what you chose.`;
const NOT_INVITED_NOR_KEPT =
  'Quartermaster is not in this channel. Choose another channel, or invite Quartermaster there and set it up again.';

/** @returns the channel for the messages, or why nothing is set up */
export async function joinDestination(
  channels: Pick<Channels, 'join'>,
  { where, channel }: Destination,
  interaction: Pick<Interaction, 'person' | 'sendDirectMessage' | 'log'>,
  finish: () => Button,
): Promise<{ channel: string } | { problem: string }> {
  const person = interaction.person.slackId;
  if (where === 'me') return { channel: person };
  const entry = await channels.join(channel ?? '', person);
  if (entry.kind === 'joined') return entry;
  const why = entry.needsInvite ? await keepForm(channel ?? '', interaction, finish()) : entry.sentence;
  return { problem: `Nothing is set up yet. ${why}` };
}

/** @returns a sentence about how to continue */
async function keepForm(
  channel: string,
  { sendDirectMessage, log }: Pick<Interaction, 'sendDirectMessage' | 'log'>,
  finish: Button,
): Promise<string> {
  const lines = [
    markup`*Nothing is set up yet:* Quartermaster is not in ${channelMention(channel)}.`,
    markup`Type \`/invite @Quartermaster\` there, then press *${FINISH}*. The form opens with what you chose.`,
  ];
  try {
    await sendDirectMessage(messageOf(prose(lines), buttonRow(finish)));
    return NOT_INVITED;
  } catch (error) {
    log.warn({ err: error }, 'Storing a form for later failed');
    return NOT_INVITED_NOR_KEPT;
  }
}
