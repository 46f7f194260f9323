import { channelInput, radioInput } from './blocks/inputs.ts';
import type { Block } from './blocks/blocks.ts';
import type { FormState } from './blocks/views.ts';
import type { FormRule } from './forms.ts';
import type { Channels } from './outbound/channels.ts';

/** Where what somebody sets up goes. */
export interface Destination {
  /** `me`: by direct message. */
  where: 'channel' | 'me';
  channel: string | undefined;
}

/** The channel in which a form was asked for; from a direct message it goes to the person. */
export function destinationOf(channel: string): Destination {
  return /^[CG]/.test(channel) ? { where: 'channel', channel } : { where: 'me', channel: undefined };
}

export function destinationInputs(label: string, { where, channel }: Destination): Block[] {
  return [
    radioInput({
      id: 'where',
      label,
      options: [
        { value: 'channel', text: 'To a channel' },
        { value: 'me', text: 'To me, by direct message' },
      ],
      initial: where,
    }),
    channelInput({
      id: 'channel',
      label: 'Channel',
      hint: 'Quartermaster joins public channels by itself. In a private one, type /invite @Quartermaster first.',
      isOptional: true,
      initial: channel,
    }),
  ];
}

export const readDestination = (state: FormState): Destination => ({
  where: state.option('where') === 'me' ? 'me' : 'channel',
  channel: state.conversation('channel'),
});

export const destinationRule = ({ where, channel }: Destination): FormRule => [
  where === 'channel' && !/^[CG]\w+$/.test(channel ?? ''),
  'channel',
  'Choose a channel, or have it sent to you.',
];

/** The person has chosen the channel from those that they see, so it is there. */
const NOT_INVITED =
  'Quartermaster is not in this private channel: type /invite @Quartermaster there, then press “Set up” again.';

/** @returns where it goes from now on, or why nothing is set up */
export async function enterDestination(
  channels: Pick<Channels, 'join'>,
  { where, channel }: Destination,
  person: string,
): Promise<{ channel: string } | { problem: string }> {
  if (where === 'me') return { channel: person };
  const entry = await channels.join(channel ?? '', person);
  if (entry.kind === 'joined') return entry;
  return { problem: `Nothing is set up yet. ${entry.needsInvite ? NOT_INVITED : entry.sentence}` };
}
