// What the rows of a day hold on which there was nothing, but for their date.

export const NO_CREDITS = {
  billable_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  by_model: [],
};

export const NO_TOOLS = {
  tool_calls: 0,
  by_tool: [],
  mcp_users_with_mcp: 0,
  mcp_by_server: [],
  skills_invocations: 0,
  skills_by_name: [],
  slash_commands_invocations: 0,
  slash_commands_by_name: [],
  hooks_invocations: 0,
  hooks_by_event: [],
  web_users: 0,
};

/** Who was active in the days before is not known from a day that is left out. */
export const NO_ACTIVITY = {
  daily_active_users: 0,
  weekly_active_users: null,
  monthly_active_users: null,
  daily_active_users_by_client: {},
  sessions: 0,
  messages: 0,
  user_messages: 0,
};

export const NO_OUTPUT = {
  files_created: 0,
  files_edited: 0,
  by_extension: [],
  by_language: [],
  git_commits: 0,
  git_prs_created: 0,
};
