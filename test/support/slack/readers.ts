import { CHANNEL, type ForManagers, NAMED_CHANNEL } from '../../../src/core/slack/people/audience.ts';

/** A manager who sees the answer alone. */
export const MANAGERS: ForManagers = { kind: 'managers', naming: NAMED_CHANNEL.naming };
export const { naming: NAMING } = NAMED_CHANNEL;
export { CHANNEL };
