import type { Stage } from './stage.ts';

/** Every so many-th person of the platform has no account in Slack, and is called by their e-mail. */
const LEFT_OUT = 15;

/** Of the platform’s teams, the one that has a user group. */
const TEAM = 'Mobile';

/**
 * Gives the people of the platform accounts in the sandbox's Slack, so that they are called by their names.
 *
 * @param nameOf what they are called there
 */
export async function addColleagues(
  { platform, slack }: Pick<Stage, 'platform' | 'slack'>,
  nameOf: (name: string) => string = (name) => name,
): Promise<void> {
  for (const { email, name, index } of platform.organization.people) {
    const isThere = email === null || slack.workspace.findPerson(email) !== undefined;
    if (isThere || index % LEFT_OUT === 0) continue;
    await slack.control.addPerson({ handle: email.split('@')[0] ?? email, name: nameOf(name), email });
  }
  const members = platform.organization.people.flatMap(({ email, team }) =>
    team === TEAM && email !== null && slack.workspace.findPerson(email) ? [email] : [],
  );
  await slack.control.setUserGroup({ handle: 'web-team', members });
}
