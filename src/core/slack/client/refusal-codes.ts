import { wordsIn } from '../../base/text/word-list.ts';

/** Our own code for a channel shared with other organizations; Slack has no code for it. */
export const SHARED_CHANNEL = 'shared_channel';

/**
 * Codes about the channel, thread or person that receives a message. They stay until a person changes or replaces the
 * target. The reference lists them for chat.postMessage, chat.update, conversations.open and .info
 * (https://docs.slack.dev/reference/methods). It lacks `cannot_dm_bot`, which conversations.open returns too.
 *
 * Five similar codes are left out. `user_not_found` and `user_not_visible`: an account that Slack does not show now may
 * appear again, such as while a workspace moves to an Enterprise organization. `restricted_action`: the reference calls it a preference of the workspace, and has
 * separate codes for channels. `ekm_access_denied`: an admin suspends access to the keys of a workspace and gives it
 * back. `no_permission`: it is about the token.
 */
const TARGET_CODES = new Set([
  ...wordsIn(
    'channel_not_found not_in_channel is_archived is_inactive channel_is_limited_access',
    'method_not_supported_for_channel_type restricted_action_read_only_channel',
    'restricted_action_thread_only_channel restricted_action_non_threadable_channel restricted_action_thread_locked',
    'user_disabled cannot_dm_bot invalid_user_combination',
  ),
  SHARED_CHANNEL,
]);

/** The blocks or the text are refused; a simpler form of the message may be accepted. */
const CONTENT_CODES = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long']);

/** Codes about a message, or about the message that is edited or answered. The same message would be refused again. */
const MESSAGE_CODES = new Set([
  ...CONTENT_CODES,
  ...wordsIn(
    'no_text invalid_attachments too_many_attachments attachment_payload_limit_exceeded invalid_metadata_format',
    'invalid_metadata_schema metadata_too_large message_not_found thread_not_found cannot_reply_to_message',
    'cant_update_message edit_window_closed block_mismatch',
  ),
]);

/** Codes with which Slack refuses the bot’s token in any method. */
const TOKEN_CODES = wordsIn(
  'invalid_auth token_revoked token_expired account_inactive not_authed team_access_not_granted',
);

/**
 * Only a closed list of codes is final: an unknown code may pass, such as those of a workspace that is moving to an
 * Enterprise organization, and those about the token until an operator has installed the app again. Pure.
 *
 * @example isFinalRefusal('is_archived') // true; isFinalRefusal('team_added_to_org') and ('invalid_auth') are false
 */
export const isFinalRefusal = (code: string) => TARGET_CODES.has(code) || MESSAGE_CODES.has(code);

export const isTokenRefusal = (code: string) => TOKEN_CODES.has(code);

/** No message can be posted there until a person changes the channel or account. */
export const isTargetRefusal = (code: string) => TARGET_CODES.has(code);

export const isDeletedMessage = (code: string | undefined) =>
  code === 'message_not_found' || code === 'thread_not_found';

export const isContentRefusal = (code: string) => CONTENT_CODES.has(code);
