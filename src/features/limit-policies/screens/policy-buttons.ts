import { z } from 'zod';
import { markup } from '../../../core/base/text/markup.ts';
import { button, menu, type Button, type Menu } from '../../../core/slack/blocks/blocks.ts';
import { buttonAbout } from '../../../core/slack/blocks/messages.ts';
import type { StoredPolicy } from '../store/policy-store.ts';

export const POLICY_ACTIONS = {
  choose: 'limits_policy_choose',
  create: 'limits_policy_new',
  createTeam: 'limits_team_new',
  edit: 'limits_policy_edit',
  fields: 'limits_policy_fields',
  test: 'limits_policy_test',
  activate: 'limits_policy_activate',
  pause: 'limits_policy_pause',
  resume: 'limits_policy_resume',
  remove: 'limits_policy_remove',
  release: 'limits_policy_release',
  stop: 'limits_policy_stop',
  lower: 'limits_team_lower',
  onlyHere: 'limits_only_here',
} as const;

const aboutPolicy = z.object({
  id: z.string().max(20),
  version: z.int(),
  /** The only admin confirmed that no other one checks it. */
  isAlone: z.boolean().optional(),
});
export type AboutPolicy = z.infer<typeof aboutPolicy>;

export const readAboutPolicy = (value: string): AboutPolicy => aboutPolicy.parse(JSON.parse(value));

type Policy = Pick<StoredPolicy, 'id' | 'version' | 'name'>;

const valueOf = ({ id, version }: Policy, isAlone?: true) =>
  JSON.stringify({ id, version, ...(isAlone ? { isAlone } : {}) });

export const newPolicyButton = (): Button =>
  button({ text: 'New policy', actionId: POLICY_ACTIONS.create, style: 'primary' });

export const newTeamButton = (): Button =>
  button({ text: 'New team', actionId: POLICY_ACTIONS.createTeam, style: 'primary' });

export const openMenu = (placeholder: string, policies: readonly Policy[]): Menu =>
  menu({
    placeholder,
    actionId: POLICY_ACTIONS.choose,
    options: policies.map(({ id, name }) => ({ text: name, value: id })),
  });

export const stopButton = (): Button =>
  button({
    text: 'Stop all policies',
    actionId: POLICY_ACTIONS.stop,
    style: 'danger',
    confirm: {
      title: 'Stop all policies?',
      text: markup`Every active policy pauses at once, and what they approved is not sent. People decide until an admin resumes them.`,
      confirm: 'Stop them',
      deny: 'Keep them',
    },
  });

const ofPolicy =
  (...options: Parameters<typeof buttonAbout>) =>
  (policy: Policy): Button =>
    buttonAbout(...options)(valueOf(policy));

export const lowerButton = ofPolicy(POLICY_ACTIONS.lower, 'Lower the pool');
export const editButton = ofPolicy(POLICY_ACTIONS.edit, 'Edit');

export const testButton = (policy: Policy, isTested: boolean): Button =>
  button({
    text: isTested ? 'Run the back-test again' : 'Run the back-test',
    actionId: POLICY_ACTIONS.test,
    value: valueOf(policy),
    style: isTested ? undefined : 'primary',
  });

/** @param isAlone no other admin checks it */
export const activateButton = (policy: Policy, isAlone: boolean): Button =>
  button({
    text: isAlone ? 'Activate alone' : 'Activate',
    actionId: POLICY_ACTIONS.activate,
    value: valueOf(policy, isAlone ? true : undefined),
    style: 'primary',
    confirm: {
      title: 'Activate this policy?',
      text: isAlone
        ? markup`You are the only admin, so no one else checks “${policy.name}”. It is marked as activated alone.`
        : markup`“${policy.name}” then decides requests after its dry run, within its caps.`,
      confirm: 'Activate',
      deny: 'Not now',
    },
  });

export const pauseButton = ofPolicy(POLICY_ACTIONS.pause, 'Pause', 'danger');
export const resumeButton = ofPolicy(POLICY_ACTIONS.resume, 'Resume', 'primary');

/** @param isAlone no other admin checks it */
export const releaseButton = (policy: Policy, isAlone: boolean): Button =>
  button({
    text: isAlone ? 'Release alone' : 'Release its people',
    actionId: POLICY_ACTIONS.release,
    value: valueOf(policy, isAlone ? true : undefined),
    confirm: {
      title: 'Release its people?',
      text: isAlone
        ? markup`You are the only admin, so no one else checks it. Other policies then decide for the people of “${policy.name}”, and its caps no longer count.`
        : markup`Other policies then decide for the people of “${policy.name}”, and its caps no longer count.`,
      confirm: 'Release',
      deny: 'Not now',
    },
  });

export const removeButton = (policy: Policy): Button =>
  button({
    text: 'Delete',
    actionId: POLICY_ACTIONS.remove,
    value: valueOf(policy),
    confirm: {
      title: 'Delete this policy?',
      text: markup`“${policy.name}” stops for good. The limits that it granted stay, and end as announced. People decide for its people until another admin releases them.`,
    },
  });

export const onlyHereButton = (isDeclared: boolean): Button =>
  button({
    text: isDeclared ? 'Limits are also set elsewhere' : 'Limits are set only here',
    actionId: POLICY_ACTIONS.onlyHere,
    value: isDeclared ? 'no' : 'yes',
    confirm: {
      title: isDeclared ? 'Take it back?' : 'Are limits set only here?',
      text: isDeclared
        ? markup`Policies then only prepare approvals, and people decide.`
        : markup`Active policies then set limits by themselves. The platform doesn’t show limits, so a policy could replace a limit that was set elsewhere, by a person or by a directory.`,
      confirm: isDeclared ? 'Take it back' : 'Yes, only here',
      deny: 'Not now',
    },
  });
