import { channelInput, radioInput } from './blocks/inputs.ts';
import type { Block } from './blocks/blocks.ts';
import type { FormState } from './blocks/views.ts';
import type { FormRule } from './forms.ts';
import type { Channels } from './outbound/channels.ts';

/** Where what somebody sets up goes. */
export interface Place {
  /** `me`: by direct message. */
  where: 'channel' | 'me';
  channel: string | undefined;
}

/** The channel in which a form was asked for; from a direct message it goes to the person. */
export function placeOf(channel: string): Place {
  return /^[CG]/.test(channel) ? { where: 'channel', channel } : { where: 'me', channel: undefined };
}

export function placeInputs(label: string, { where, channel }: Place): Block[] {
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

export const readPlace = (state: FormState): Place => ({
  where: state.option('where') === 'me' ? 'me' : 'channel',
  channel: state.conversation('channel'),
});

export const placeRule = ({ where, channel }: Place): FormRule => [
  where === 'channel' && !/^[CG]\w+$/.test(channel ?? ''),
  'channel',
  'Choose a channel, or have it sent to you.',
];

/** The person has chosen the channel from those that they see, so it is there. */
const NOT_INVITED =
  'Quartermaster is not in this private channel: type /invite @Quartermaster there, then press “Set up” again.';

/** @returns where it goes from now on, or why nothing is set up */
export async function enterPlace(
  channels: Pick<Channels, 'enter'>,
  { where, channel }: Place,
  person: string,
): Promise<{ channel: string } | { problem: string }> {
  const entry = await channels.enter(where === 'me' ? person : (channel ?? ''), person);
  if (entry.kind === 'entered') return entry;
  return { problem: `Nothing is set up yet. ${entry.needsInvite ? NOT_INVITED : entry.sentence}` };
}
