import type { SandboxSlack } from '../slack/index.ts';
import type { SimulatedPlatform } from '../platform/platform.ts';

/** Five teams share everyone: twelve each of sixty people. */
export const TEAMS = [
  { handle: 'web-team', name: 'Web team' },
  { handle: 'payments-team', name: 'Payments team' },
  { handle: 'mobile-team', name: 'Mobile team' },
  { handle: 'data-team', name: 'Data team' },
  { handle: 'infra-team', name: 'Infrastructure team' },
];
const SQUAD = { handle: 'checkout-squad', name: 'Checkout squad', size: 4 };
/** A larger organization stays without teams: adding thousands of accounts takes a while. */
const MAX_PEOPLE = 300;

/** Gives everyone an account in the sandbox's Slack, and groups them into teams and a squad of four. */
export async function addTeams(
  slack: Pick<SandboxSlack, 'control' | 'workspace'>,
  { organization }: Pick<SimulatedPlatform, 'organization'>,
): Promise<void> {
  if (organization.people.length > MAX_PEOPLE) return;
  const members: string[] = [];
  for (const { email, name, index } of organization.people) {
    // Some accounts of the platform have no e-mail; in Slack they have one.
    const address = email ?? `person${index}@acme.example`;
    if (!slack.workspace.findPerson(address))
      await slack.control.addPerson({ handle: address.split('@')[0] ?? address, name, email: address });
    members.push(address);
  }
  for (const [team, { handle, name }] of TEAMS.entries()) {
    const theirs = members.filter((_, index) => index % TEAMS.length === team);
    await slack.control.setUserGroup({ handle, name, members: theirs });
  }
  const squad = members.filter((_, index) => index % TEAMS.length === 1).slice(0, SQUAD.size);
  await slack.control.setUserGroup({ handle: SQUAD.handle, name: SQUAD.name, members: squad });
}
