/**
 * Every error code that the reference of chat.postMessage lists or has listed, with the bot's reaction:
 * https://docs.slack.dev/reference/methods/chat.postMessage
 */
export const POST_MESSAGE_ERRORS = {
  /** About the place or the message: the delivery fails at once. */
  final: [
    'attachment_payload_limit_exceeded',
    'cannot_reply_to_message',
    'channel_not_found',
    'invalid_blocks',
    'invalid_blocks_format',
    'invalid_metadata_format',
    'invalid_metadata_schema',
    'is_archived',
    'metadata_too_large',
    'msg_blocks_too_long',
    'msg_too_long',
    'no_text',
    'not_in_channel',
    'restricted_action_non_threadable_channel',
    'restricted_action_read_only_channel',
    'restricted_action_thread_locked',
    'restricted_action_thread_only_channel',
    'too_many_attachments',
  ],
  /** Retried every five minutes, until an operator has fixed the installation. */
  installation: [
    'account_inactive',
    'invalid_auth',
    'missing_scope',
    'not_authed',
    'team_access_not_granted',
    'token_expired',
    'token_revoked',
  ],
  /** Slack asks to wait. */
  rateLimited: ['rate_limited', 'ratelimited'],
  /** The message may exist: the channel is read before it is posted again. */
  unknown: ['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable'],
  /** Retried with growing pauses. */
  passing: [
    'team_added_to_org',
    'org_login_required',
    'access_denied',
    'accesslimited',
    'app_access_restricted',
    'as_user_not_supported',
    'deprecated_endpoint',
    'draft_already_deleted',
    'draft_already_sent',
    'draft_has_conflict',
    'draft_not_found',
    'duplicate_channel_not_found',
    'duplicate_message_not_found',
    'ekm_access_denied',
    'enterprise_is_restricted',
    'invalid_arg_name',
    'invalid_arguments',
    'invalid_array_arg',
    'invalid_charset',
    'invalid_form_data',
    'invalid_post_type',
    'is_bot',
    'markdown_text_conflict',
    'message_limit_exceeded',
    'messages_tab_disabled',
    'metadata_must_be_sent_from_app',
    'method_deprecated',
    'missing_file_data',
    'missing_post_type',
    'no_permission',
    'not_allowed_token_type',
    'restricted_action',
    'send_on_behalf_not_allowed',
    'slack_connect_canvas_link_sharing_blocked',
    'slack_connect_canvas_sharing_blocked',
    'slack_connect_file_link_sharing_blocked',
    'slack_connect_lists_sharing_blocked',
    'slack_connect_team_blocked',
    'team_not_found',
    'too_many_contact_cards',
    'two_factor_setup_required',
    'unknown_method',
  ],
} as const;

/** Codes that Slack does not have; some are names that every object of JavaScript has. */
export const INVENTED_ERRORS = [
  'workspace_is_resting',
  'channel_not_found_yet',
  'not_in_channel_anymore',
  'is_archiving',
  'message_not_accepted',
  'restricted_action_on_mondays',
  'restricted_action_channel',
  'invalid_blocks_quota',
  'user_is_moving',
  'org_frozen',
  'code.with.dots',
  'code:with:colons',
  'code-with-dashes',
  'Mixed_Case_Code',
  'e2',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'a'.repeat(101),
];

/** The final errors of an edit: https://docs.slack.dev/reference/methods/chat.update */
export const FINAL_UPDATE_ERRORS = [
  'block_mismatch',
  'cant_update_message',
  'channel_not_found',
  'edit_window_closed',
  'invalid_attachments',
  'invalid_blocks',
  'is_inactive',
  'message_not_found',
  'msg_too_long',
];

/** The temporary errors of an edit. */
export const PASSING_UPDATE_ERRORS = [
  'external_channel_migrating',
  'streaming_state_conflict',
  'team_added_to_org',
  'update_failed',
];

/**
 * The final errors of opening a direct message: https://docs.slack.dev/reference/methods/conversations.open.
 * `cannot_dm_bot` is missing there.
 */
export const FINAL_OPEN_ERRORS = [
  'cannot_dm_bot',
  'channel_not_found',
  'invalid_user_combination',
  'method_not_supported_for_channel_type',
  'user_disabled',
];

/**
 * The final errors of a request for the readers of a channel:
 * https://docs.slack.dev/reference/methods/conversations.info
 */
export const FINAL_INFO_ERRORS = ['channel_is_limited_access', 'channel_not_found'];
