import type { Stage } from './stage.ts';

/** Every 15th person of the platform has no account in Slack and appears by e-mail. */
const ACCOUNTLESS_EVERY = 15;

/** The platform’s team that has a user group. */
const TEAM = 'Mobile';

/**
 * Gives the people of the platform accounts in the sandbox's Slack, so that they appear by name.
 *
 * @param nameOf returns their name in Slack
 */
export async function addColleagues(
  { platform, slack }: Pick<Stage, 'platform' | 'slack'>,
  nameOf: (name: string) => string = (name) => name,
): Promise<void> {
  for (const { email, name, index } of platform.organization.people) {
    const isThere = email === null || slack.workspace.findPerson(email) !== undefined;
    if (isThere || index % ACCOUNTLESS_EVERY === 0) continue;
    await slack.control.addPerson({ handle: email.split('@')[0] ?? email, name: nameOf(name), email });
  }
  const members = platform.organization.people.flatMap(({ email, team }) =>
    team === TEAM && email !== null && slack.workspace.findPerson(email) ? [email] : [],
  );
  await slack.control.setUserGroup({ handle: 'web-team', members });
}
