import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Config } from '../../core/base/settings/config.ts';
import { findChannelByName } from '../../core/slack/outbound/channels/channel-list.ts';
import { sharedSentence, sharingOf } from '../../core/slack/outbound/channels/channel-sharing.ts';
import { fault, ok, type Finding } from './finding.ts';
import { ask, slackFaultSentence, type SlackAnswer } from './slack-answer.ts';

const channelSchema = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  is_archived: z.boolean().optional(),
  is_member: z.boolean().optional(),
  is_private: z.boolean().optional(),
  is_ext_shared: z.boolean().optional(),
  is_pending_ext_shared: z.boolean().optional(),
  pending_shared: z.array(z.unknown()).optional(),
  is_org_shared: z.boolean().optional(),
});
type ChannelFacts = z.infer<typeof channelSchema>;

/** `undefined` if Slack knows no such channel. */
export interface ChannelReading {
  setting: string;
  reference: string;
  allowShared: boolean;
  answer: SlackAnswer<ChannelFacts | undefined>;
}

export function readChannels(client: WebClient, config: Config): Promise<ChannelReading[]> {
  const named = { LIMITS_CHANNEL: config.limitsChannel, DIGEST_CHANNEL: config.digestChannel };
  const settings = Object.entries({ ...named, CONTROLS_CHANNEL: config.controlsChannel });
  const references = settings.flatMap(([setting, reference]) =>
    reference === undefined ? [] : [{ setting, reference }],
  );
  const allowShared = config.allowSharedChannels;
  return Promise.all(
    references.map(async (one) => ({ ...one, allowShared, answer: await ask(() => find(client, one.reference)) })),
  );
}

async function find(client: WebClient, reference: string): Promise<ChannelFacts | undefined> {
  if (/^[CG][A-Z0-9]{2,}$/.test(reference)) {
    return channelSchema.parse((await client.conversations.info({ channel: reference })).channel);
  }
  if (/^[UW][A-Z0-9]{2,}$/.test(reference)) {
    const { user } = await client.users.info({ user: reference });
    return { id: reference, name: user?.name ?? reference, is_member: true };
  }
  if (/^D[A-Z0-9]{2,}$/.test(reference)) return { id: reference, is_member: true };
  // Archived channels are included, because the finding must say that the channel is archived.
  const channel = await findChannelByName(client, reference.replace(/^#/, ''), { withArchived: true });
  return channel && channelSchema.parse(channel);
}

export function judgeChannel({ setting, reference, allowShared, answer }: ChannelReading): Finding {
  if (answer.kind === 'fault') return fault(setting, `${reference}: ${slackFaultSentence(answer.fault)}`);
  const channel = answer.value;
  if (!channel) {
    return fault(
      setting,
      `There is no public channel ${reference}. For a private one, set its id (C…) and type /invite @Quartermaster there.`,
    );
  }
  const name = channel.name ? `${/^[UW]/.test(channel.id) ? '@' : '#'}${channel.name}` : channel.id;
  if (channel.is_archived) return fault(setting, `${name} is archived: unarchive it, or choose another.`);
  const sharing = sharingOf(channel);
  if (sharing !== 'none' && !allowShared) return fault(setting, `${name}: ${sharedSentence(sharing)}`);
  if (channel.is_member) return ok(setting, `The bot can post to ${name}.`);
  if (channel.is_private) return fault(setting, `The bot is not in ${name}: type /invite @Quartermaster there.`);
  return ok(setting, `The bot will join ${name} by itself.`);
}
