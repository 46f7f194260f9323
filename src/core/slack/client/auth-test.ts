import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

const authTestSchema = z.looseObject({
  user_id: z.string().max(100),
  user: z.string().nullish(),
  team: z.string().nullish(),
  team_id: z.string().max(100).nullish(),
  bot_id: z.string().max(100).nullish(),
  is_enterprise_install: z.boolean().nullish(),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).optional() }).nullish(),
});

export type AuthTest = z.infer<typeof authTestSchema>;

/** @throws the error of web-api, or a ZodError if the answer is not from Slack */
export async function askAuthTest(client: WebClient): Promise<AuthTest> {
  return authTestSchema.parse(await client.auth.test());
}

/** For the status of the bot: an admin may have installed the app again. */
export async function readGrantedScopes(client: WebClient): Promise<readonly string[] | undefined> {
  const answer = await askAuthTest(client).catch(() => undefined);
  return answer?.response_metadata?.scopes;
}

/**
 * An installation for a whole Enterprise organization has no workspace: each call would need a team_id, and all people
 * would count as outsiders. Pure.
 *
 * @see https://docs.slack.dev/enterprise/organization-ready-apps
 */
export function teamIdOf(answer: AuthTest): string | undefined {
  return isOrganization(answer) ? undefined : (answer.team_id ?? undefined);
}

export function noWorkspaceSentence(answer: AuthTest): string {
  return isOrganization(answer)
    ? 'The Slack app is installed for a whole Enterprise organization: install it to one workspace and set SLACK_BOT_TOKEN to the token of that installation.'
    : 'Slack names no workspace for SLACK_BOT_TOKEN: install the app to one workspace and set SLACK_BOT_TOKEN to the token of that installation.';
}

const isOrganization = ({ is_enterprise_install: isInstalledThere, team_id: id }: AuthTest) =>
  Boolean(isInstalledThere) || Boolean(id?.startsWith('E'));
