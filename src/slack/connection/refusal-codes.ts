/** Our own code for a channel that people of other organizations read; Slack has no code for it. */
export const SHARED_CHANNEL = 'shared_channel';

/**
 * Codes about the channel, thread or person that a message goes to. They stay until a person changes the place or chooses
 * another one. Slack's reference lists them for chat.postMessage, chat.update, conversations.open and conversations.info
 * (https://docs.slack.dev/reference/methods); `cannot_dm_bot` is missing there, and conversations.open answers it all the same.
 *
 * `restricted_action` is not among them: the reference calls it a preference of the workspace, and has codes of its own for
 * channels. `ekm_access_denied` is not either: an admin suspends access to the keys of a workspace and gives it back. Neither
 * is `no_permission`, which is about the token.
 */
const PLACE_CODES = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'is_inactive',
  'channel_is_limited_access',
  'method_not_supported_for_channel_type',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'restricted_action_thread_locked',
  'user_not_found',
  'user_disabled',
  'user_not_visible',
  'cannot_dm_bot',
  'invalid_user_combination',
  SHARED_CHANNEL,
]);

/** The blocks or the text are refused; a simpler form of the message may be accepted. */
const FORM_CODES = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long']);

/** Codes about the message itself, or about the message that is edited or answered. The same message would be refused again. */
const MESSAGE_CODES = new Set([
  ...FORM_CODES,
  'no_text',
  'invalid_attachments',
  'too_many_attachments',
  'attachment_payload_limit_exceeded',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'metadata_too_large',
  'message_not_found',
  'thread_not_found',
  'cannot_reply_to_message',
  'cant_update_message',
  'edit_window_closed',
  'block_mismatch',
]);

/** Codes with which Slack refuses the bot’s token, whatever the method. */
const TOKEN_CODES = new Set([
  'invalid_auth',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'not_authed',
  'team_access_not_granted',
]);

/** Codes that end when an operator fixes the installation. */
const INSTALLATION_CODES = new Set([...TOKEN_CODES, 'missing_scope']);

const INSTALLATION_FAULT_DELAY_MS = 5 * 60_000;

export type RefusalVerdict =
  | { kind: 'final' }
  /** Without `delayMs`, the pauses grow. */
  | { kind: 'later'; delayMs?: number };

/**
 * Says whether a refused request is worth repeating. Only a closed list of codes is final: an unknown code may pass,
 * such as those of a workspace that is moving to an Enterprise organization. Pure.
 *
 * @example verdictOfRefusal('is_archived') // { kind: 'final' }
 * @example verdictOfRefusal('team_added_to_org') // { kind: 'later' }
 */
export function verdictOfRefusal(code: string): RefusalVerdict {
  if (PLACE_CODES.has(code) || MESSAGE_CODES.has(code)) return { kind: 'final' };
  if (INSTALLATION_CODES.has(code)) return { kind: 'later', delayMs: INSTALLATION_FAULT_DELAY_MS };
  return { kind: 'later' };
}

/** Slack refuses the bot’s token, whatever it is used for. */
export const isTokenRefusal = (code: string) => TOKEN_CODES.has(code);

/** Nothing can be posted in that place until a person changes it. */
export const isPlaceRefusal = (code: string) => PLACE_CODES.has(code);

/** The message that was to be edited or answered no longer exists. */
export const isDeletedMessage = (code: string | undefined) =>
  code === 'message_not_found' || code === 'thread_not_found';

/** The message may be accepted in a simpler form. */
export const isFormRefusal = (code: string) => FORM_CODES.has(code);
