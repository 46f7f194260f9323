import { dayName } from './calendar.ts';
import {
  CLIENTS,
  DELEGATION_LEVELS,
  EXTENSIONS,
  HOOKS,
  MODELS,
  SERVERS,
  SKILLS,
  SLASH_COMMANDS,
  TOOLS,
} from './catalogue.ts';
import type { Organization } from './organization.ts';
import { type PersonDay, personDay, wasActive } from './person-day.ts';
import type { ModelWireRow, TokensWireRow, UserWireRow } from '../routes/wire.ts';

/** All figures of one day. Every total is a sum of the same leaves, so the endpoints agree. */
export interface DayFigures {
  tokens: TokensWireRow;
  tools: Record<string, unknown> & { by_tool: { tool: string; invocations: number }[] };
  productivity: Record<string, unknown>;
  sessions: number;
  messages: number;
  userMessages: number;
  clients: Record<string, number>;
  /** By user id. */
  users: ReadonlyMap<string, UserWireRow>;
}

/** Combines everyone's figures of a day. */
export function foldDay(organization: Organization, day: number, factor: number): DayFigures {
  const people: PersonDay[] = [];
  for (const person of organization.people) {
    if (wasActive(organization, person, day)) people.push(personDay(organization, person, day, factor));
  }
  const date = dayName(day);
  const users = new Map(people.map((each) => [each.person.id, userRow(date, each)]));
  return {
    tokens: tokensRow(date, people),
    tools: toolsRow(date, people),
    productivity: productivityRow(date, people),
    sessions: sum(people, (each) => each.sessions),
    messages: sum(people, (each) => each.userMessages + each.assistantMessages),
    userMessages: sum(people, (each) => each.userMessages),
    clients: Object.fromEntries(
      CLIENTS.map((client, index) => [client, people.filter((each) => each.clients.includes(index)).length]),
    ),
    users,
  };
}

function userRow(date: string, each: PersonDay): UserWireRow {
  const calls = sum(each.tools, (count) => count);
  const files = sum(each.extensions, ([, count]) => count);
  const [favourite] = each.models.toSorted((a, b) => b.billable - a.billable);
  const model = MODELS[favourite?.model ?? 0] ?? MODELS[0];
  const languages = each.extensions
    .filter(([, count]) => count > 0)
    .map(([index]) => EXTENSIONS[index]?.language ?? '');
  return {
    user_id: each.person.id,
    user_email: each.person.reportedEmail,
    date,
    tool_calls: calls,
    billable_tokens: sum(each.models, (use) => use.billable),
    primary_model: model.id,
    primary_model_tier: model.tier,
    files_created: each.filesCreated,
    files_edited: files - each.filesCreated,
    git_commits: each.commits,
    git_prs_created: each.pullRequests,
    mcp_calls: sum(each.servers, ([, count]) => count),
    skill_calls: sum(each.skills, (count) => count),
    slash_commands: sum(each.commands, (count) => count),
    hooks: sum(each.hooks, (count) => count),
    sessions: each.sessions,
    messages: each.userMessages + each.assistantMessages,
    user_messages: each.userMessages,
    assistant_messages: each.assistantMessages,
    autonomy_ratio: round(calls / each.userMessages),
    delegation_level: DELEGATION_LEVELS[each.delegation]?.id ?? 'manual',
    languages: [...new Set(languages)],
  };
}

function tokensRow(date: string, people: readonly PersonDay[]): TokensWireRow {
  const uses = people.flatMap((each) => each.models);
  const byModel = MODELS.flatMap((model, index): ModelWireRow[] => {
    const own = uses.filter((use) => use.model === index);
    if (own.length === 0) return [];
    return [
      {
        model_id: model.id,
        model_tier: model.tier,
        billable_tokens: sum(own, (use) => use.billable),
        input_tokens: sum(own, (use) => use.input),
        output_tokens: sum(own, (use) => use.output),
      },
    ];
  });
  return {
    date,
    billable_tokens: sum(uses, (use) => use.billable),
    input_tokens: sum(uses, (use) => use.input),
    output_tokens: sum(uses, (use) => use.output),
    cache_read_tokens: sum(uses, (use) => use.cacheRead),
    cache_write_tokens: sum(uses, (use) => use.cacheWrite),
    by_model: byModel,
    by_user: people.map(({ person, models }) => ({
      user_id: person.id,
      // API document: a string here, "string or null" in `/users`. An empty string for "unknown" is the simulator's own choice.
      user_email: person.reportedEmail ?? '',
      billable_tokens: sum(models, (use) => use.billable),
      // The document does not show the shape of these elements; this one is the simulator's own choice.
      by_model: models.map((use) => ({ model_id: MODELS[use.model]?.id, billable_tokens: use.billable })),
    })),
  };
}

function toolsRow(date: string, people: readonly PersonDay[]): DayFigures['tools'] {
  const calls = people.map((each) => sum(each.tools, (count) => count));
  const toolCalls = sum(calls, (count) => count);
  const turns = sum(people, (each) => each.userMessages);
  const sessions = sum(people, (each) => each.sessions);
  const ratios = people.map((each, index) => (calls[index] ?? 0) / each.userMessages).toSorted((a, b) => a - b);
  const servers = total(
    SERVERS,
    people.flatMap((each) => each.servers),
  );
  const skills = totalColumns(
    SKILLS,
    people.map((each) => each.skills),
  );
  const commands = totalColumns(
    SLASH_COMMANDS,
    people.map((each) => each.commands),
  );
  const hooks = totalColumns(
    HOOKS,
    people.map((each) => each.hooks),
  );
  return {
    date,
    tool_calls: toolCalls,
    by_tool: byTool(people),
    mcp_users_with_mcp: people.filter((each) => each.servers.some(([, count]) => count > 0)).length,
    mcp_by_server: servers.map(([server, invocations]) => ({ server, invocations })),
    skills_invocations: sum(skills, ([, count]) => count),
    skills_by_name: skills.map(([name, count]) => ({ name, count })),
    slash_commands_invocations: sum(commands, ([, count]) => count),
    slash_commands_by_name: commands.map(([name, count]) => ({ name, count })),
    hooks_invocations: sum(hooks, ([, count]) => count),
    hooks_by_event: hooks.map(([{ event, matcher, command }, count]) => ({ event, matcher, command, count })),
    web_users: people.filter((each) => each.clients.includes(CLIENTS.indexOf('web'))).length,
    autonomy_ratio_avg: round(toolCalls / Math.max(turns, 1)),
    autonomy_ratio_p50: round(ratios[Math.floor(ratios.length * 0.5)] ?? 0),
    autonomy_ratio_p90: round(ratios[Math.floor(ratios.length * 0.9)] ?? 0),
    tool_calls_per_session_avg: round(toolCalls / Math.max(sessions, 1)),
    user_turns_per_session_avg: round(turns / Math.max(sessions, 1)),
    tool_autonomy_level_ratio: autonomyShares(people, calls, toolCalls),
  };
}

function byTool(people: readonly PersonDay[]): { tool: string; invocations: number }[] {
  const counts = new Map<string, number>(
    totalColumns(
      TOOLS.map(([name]) => name),
      people.map((each) => each.tools),
    ),
  );
  for (const { artifact } of people) {
    if (artifact === undefined) continue;
    // The artifact replaces a call of the first tool.
    const [first] = TOOLS[0];
    counts.set(first, (counts.get(first) ?? 0) - 1);
    counts.set(artifact, (counts.get(artifact) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 0).map(([tool, invocations]) => ({ tool, invocations }));
}

function autonomyShares(
  people: readonly PersonDay[],
  calls: readonly number[],
  toolCalls: number,
): Record<string, number> {
  const shares: Record<string, number> = { auto_high: 0, auto_medium: 0, auto_low: 0, manual: 0 };
  for (const [index, each] of people.entries()) {
    const level = DELEGATION_LEVELS[each.delegation]?.autonomy ?? 'manual';
    shares[level] = (shares[level] ?? 0) + (calls[index] ?? 0) / Math.max(toolCalls, 1);
  }
  return shares;
}

function productivityRow(date: string, people: readonly PersonDay[]): Record<string, unknown> {
  const operations = people.flatMap((each) => each.extensions);
  const extensions = total(EXTENSIONS, operations);
  const languages = new Map<string, number>();
  for (const [{ language }, count] of extensions) languages.set(language, (languages.get(language) ?? 0) + count);
  const created = sum(people, (each) => each.filesCreated);
  return {
    date,
    files_created: created,
    files_edited: sum(operations, ([, count]) => count) - created,
    by_extension: extensions.map(([{ extension }, count]) => ({ extension, count })),
    by_language: [...languages].map(([language, count]) => ({ language, count })),
    git_commits: sum(people, (each) => each.commits),
    git_prs_created: sum(people, (each) => each.pullRequests),
  };
}

/** Returns amounts by catalogue item, without unused items. */
function total<T>(items: readonly T[], counts: readonly (readonly [number, number])[]): [T, number][] {
  const sums = items.map(() => 0);
  for (const [index, count] of counts) sums[index] = (sums[index] ?? 0) + count;
  return items.map((item, index): [T, number] => [item, sums[index] ?? 0]).filter(([, count]) => count > 0);
}

function totalColumns<T>(items: readonly T[], rows: readonly (readonly number[])[]): [T, number][] {
  return items
    .map((item, index): [T, number] => [item, sum(rows, (row) => row[index] ?? 0)])
    .filter(([, count]) => count > 0);
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  let result = 0;
  for (const item of items) result += amount(item);
  return result;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
