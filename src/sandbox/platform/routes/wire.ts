/** A row of `/users`, as the API document writes it. */
export interface UserWireRow {
  user_id: string;
  user_email: string | null;
  date: string;
  tool_calls: number;
  billable_tokens: number;
  primary_model: string;
  primary_model_tier: string;
  files_created: number;
  files_edited: number;
  git_commits: number;
  git_prs_created: number;
  mcp_calls: number;
  skill_calls: number;
  slash_commands: number;
  hooks: number;
  sessions: number;
  messages: number;
  user_messages: number;
  assistant_messages: number;
  autonomy_ratio: number;
  delegation_level: string;
  languages: string[];
}

export interface ModelWireRow {
  model_id: string;
  model_tier: string;
  billable_tokens: number;
  input_tokens: number;
  output_tokens: number;
}

export interface TokensWireRow {
  date: string;
  billable_tokens: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  by_model: ModelWireRow[];
  by_user: { user_id: string; user_email: string; billable_tokens: number; by_model: unknown[] }[];
}
