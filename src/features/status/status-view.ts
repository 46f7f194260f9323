import type { JobRun } from '../../core/schedule/job.ts';
import type { Role } from '../../core/base/roles.ts';
import { joinMarkup, listMarkup, markup, mention, own, readerTime, type Markup } from '../../core/base/text/markup.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import type { RetentionDays } from '../../core/base/settings/retention-settings.ts';
import { type BlockMessage, context, section } from '../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint, type AnyParagraph } from '../../core/slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../core/slack/blocks/messages.ts';
import { commandText } from '../../core/slack/commands/command-text.ts';
import { modal, type ModalView } from '../../core/slack/blocks/views.ts';

export interface PartHealth {
  name: 'slack' | 'platform' | 'store' | 'roles' | 'controls' | 'figures' | 'readiness' | 'work';
  fault: string | undefined;
}

export interface OperatorFacts {
  parts: readonly PartHealth[];
  runs: readonly JobRun[];
  /** What features need from the admins. */
  needed: readonly AnyParagraph[];
  admins: { people: readonly string[]; isFromSettings: boolean };
  managers: readonly Markup[];
}

export interface StatusFacts {
  version: string;
  role: Role;
  commands: readonly { command: string; purpose: string }[];
  operator?: OperatorFacts;
  /** Only for people who are not admins. */
  contacts?: Contacts;
}

/** Slack ids. */
export interface Contacts {
  admins: readonly string[];
  managers: readonly string[];
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  member: 'You see your own figures, and the organization’s without names.',
  manager: 'You see everybody’s figures and set up digests.',
  admin: 'You see everybody’s figures, set up digests and decide on credit limits.',
};
const PART_WORDS: Readonly<Record<PartHealth['name'], string>> = {
  slack: 'Slack',
  platform: 'Platform',
  store: 'Store',
  roles: 'Roles',
  controls: 'Enterprise controls',
  figures: 'Figures',
  readiness: 'Readiness reports',
  work: 'Scheduled work',
};

export function statusMessage({ version, role, commands, operator, contacts }: StatusFacts): BlockMessage {
  return messageOf(
    prose(
      operator
        ? markup`*Quartermaster ${version}*  ·  Your role: *${role}*`
        : [markup`*Quartermaster ${version}*`, markup`Your role: *${role}*. ${ROLE_WORDS[role]}`],
    ),
    ...(operator ? [prose(healthLines(operator)), ...operator.needed, prose(peopleLines(operator))] : []),
    ...(contacts && contacts.admins.length + contacts.managers.length > 0 ? [prose(contactLines(contacts))] : []),
    prose(operator ? commandNames(commands) : commandLines(commands)),
    smallPrint(markup`Add \`help\` to any command to see how it works.`),
    buttonRow(
      runCommandButton('My usage', '/usage', commandText`me`),
      runCommandButton('Last 7 days', '/usage', commandText`7d`),
      ...(operator ? [runCommandButton('Details', '/quartermaster', commandText`details`)] : []),
    ),
  );
}

/** What an admin asks for rarely. @param state of what works */
export const detailsMessage = (state: readonly AnyParagraph[], retention: RetentionDays): BlockMessage =>
  messageOf(prose(markup`*Details of Quartermaster*`), ...state, prose(keptLine(retention)));

const commandLines = (commands: StatusFacts['commands']): Markup[] => [
  markup`*What you can type*`,
  ...commands.map(({ command, purpose }) => markup`\`${own(command)}\`  ${own(purpose)}`),
];

/** An admin looks for what is wrong, so that the whole answer fits on a phone. */
const commandNames = (commands: StatusFacts['commands']): Markup =>
  markup`*What you can type:* ${joinMarkup(
    commands.map(({ command }) => markup`\`${own(command)}\``),
    ' ',
  )}`;

function healthLines({ parts, runs }: OperatorFacts): Markup[] {
  const failed = runs.filter(({ hasFailed }) => hasFailed);
  const times = runs.map(({ at }) => at.getTime());
  const healthy = parts.filter(({ fault }) => fault === undefined).map(({ name }) => PART_WORDS[name]);
  return [
    markup`*Health*`,
    ...(healthy.length === 0 ? [] : [markup`✅ ${healthy.join(' · ')}`]),
    ...parts.flatMap(({ name, fault }) => (fault === undefined ? [] : [markup`⚠️ ${PART_WORDS[name]}: ${fault}`])),
    ...failed.map(
      ({ job, at }) =>
        markup`⚠️ Job \`${job.name}\` failed ${readerTime(at)}; it runs again at its next time. The log says why.`,
    ),
    times.length === 0
      ? markup`⏳ No scheduled job has run since the start.`
      : markup`${failed.length === 0 ? '✅' : 'ℹ️'} ${countOf(runs.length, 'scheduled job')}, last run ${readerTime(new Date(Math.min(...times)))}`,
  ];
}

const MAX_CONTACTS = 5;

function contactLines({ admins, managers }: Contacts): Markup[] {
  return [
    markup`*Who can help*`,
    ...(admins.length === 0 ? [] : [markup`Admins: ${namesOf(admins)}`]),
    ...(managers.length === 0 ? [] : [markup`Managers: ${namesOf(managers)}`]),
  ];
}

function namesOf(ids: readonly string[]): Markup {
  const mentions = ids.map((id) => mention(id));
  return listMarkup(mentions, MAX_CONTACTS);
}

function peopleLines({ admins, managers }: OperatorFacts): Markup[] {
  const named = admins.people.map((id) => mention(id));
  const source = admins.isFromSettings
    ? markup`\`ADMINS\``
    : markup`\`ADMINS\` isn’t set: the workspace’s owners and admins`;
  return [
    markup`*Roles*`,
    markup`Admins: ${named.length === 0 ? markup`none` : joinMarkup(named, ', ')} (${source})`,
    ...(named.length === 1 ? [markup`⚠️ With one admin, that admin’s own requests can’t be decided.`] : []),
    managers.length === 0
      ? markup`Managers: none. The server operator names them in \`MANAGERS\`.`
      : markup`Managers: ${joinMarkup(managers, ', ')} (\`MANAGERS\`)`,
  ];
}

function keptLine({ people, looks, sessions, deliveries, audit }: RetentionDays): Markup {
  return markup`*Data is deleted after:* personal usage ${countOf(people, 'day')} · who saw it ${countOf(looks, 'day')} · agent sessions ${countOf(sessions, 'day')} · messages ${countOf(deliveries, 'day')} · audit log ${countOf(audit, 'day')} (\`RETENTION_DAYS\`)`;
}

export const JOBS_TITLE = 'Scheduled jobs';

/** A section’s 3,000 characters hold this many lines. */
const JOBS_A_SECTION = 10;

/** @param timeZone of the expressions */
export function jobsView(runs: readonly JobRun[], timeZone: string): ModalView {
  const lines = runs.map((run) => {
    // Documents set names of settings in backticks, which Slack would show as they are here.
    const { name, cron, purpose } = run.job;
    return markup`${stateOf(run)} \`${own(cron)}\`  *${own(name)}*: ${own(purpose.replaceAll('`', ''))}, ${readerTime(run.at)}`;
  });
  const groups = Array.from({ length: Math.ceil(lines.length / JOBS_A_SECTION) }, (_, index) =>
    section(lines.slice(index * JOBS_A_SECTION, (index + 1) * JOBS_A_SECTION)),
  );
  return modal({
    title: JOBS_TITLE,
    blocks: [
      ...groups,
      context(
        markup`Cron expressions in ${timeZone}. A job never runs beside itself; the time is that of its last run.`,
      ),
    ],
  });
}

const stateOf = ({ hasFailed }: JobRun): Markup => (hasFailed ? markup`⚠️` : markup`✅`);
