import type { RoleDenial } from '../../../core/slack/blocks/messages.ts';

export const NO_EMAIL =
  'Slack shows no e-mail for you, and the platform knows people by e-mail. Add one to your Slack profile.';
export const OTHERS_ONLY_BY_MANAGERS: RoleDenial = {
  what: 'Requesting limits for others',
  role: 'manager',
  or: 'type /limits request for your own',
};
