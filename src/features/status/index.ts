import packageJson from '../../../package.json' with { type: 'json' };
import { hasRole, type PersonReference } from '../../core/base/roles.ts';
import { markup, mention, type Markup } from '../../core/base/text/markup.ts';
import type { Feature } from '../../core/feature.ts';
import type { JobRun } from '../../core/schedule/job.ts';
import type { KeyEvidence, Services } from '../../core/services.ts';
import { type CommandHelp, didYouMean } from '../../core/slack/commands/command-text.ts';
import type { Logger } from '../../core/base/log.ts';
import type { BlockMessage } from '../../core/slack/blocks/blocks.ts';
import type { RoleDenial } from '../../core/slack/blocks/messages.ts';
import { modalFor, question, questionFor } from '../../core/slack/interactions/verbs.ts';
import type { Interaction, ReadCommand } from '../../core/slack/interactions/interactions.ts';
import { UNNAMED_GROUP } from '../../core/slack/people/directory.ts';
import { readContacts } from '../../core/slack/people/user.ts';
import { capabilityDetails, capabilityFaults, capabilityJob, lostLimitsWatch } from './capability-status.ts';
import { changePriceAction, changePriceForm, priceDetails, priceStatus } from './credit-price.ts';
import { refusesHere, showPostsHere } from './here.ts';
import {
  detailsMessage,
  statusMessage,
  type Contacts,
  type OperatorFacts,
  type PartHealth,
  JOBS_TITLE,
  jobsView,
} from './status-view.ts';
import { readLeft } from './left.ts';
import { scopeStatus } from './scope-status.ts';
import { groupAttention, groupWatch } from './group-watch.ts';
import { keyAttention, keyWatch } from './key-watch.ts';
import { sourceWatches } from './source-watches.ts';

export type StatusDeps = Pick<Services, 'config' | 'people' | 'db' | 'clock' | 'capabilities' | 'grantedScopes'> & {
  keyEvidence: () => KeyEvidence;
  /** All others. */
  features: readonly Feature[];
  /** Words after `/quartermaster` for everybody; each reads the words after itself. */
  memberCommands: Readonly<Record<string, (words: readonly string[]) => ReadCommand>>;
  readHealth: () => Promise<readonly PartHealth[]>;
  jobRuns: () => readonly JobRun[];
};

const HELP: CommandHelp = {
  command: '/quartermaster',
  purpose: 'your role, your commands and the health of Quartermaster',
  examples: [
    { text: '', meaning: 'the version, your role, your commands and who can help; for admins also its health' },
    { text: 'here', meaning: 'everything that comes to this channel or direct message by itself' },
    { text: 'token', meaning: 'lets your coding client ask Quartermaster for you' },
    { text: 'left @person', meaning: 'for admins: what belongs to somebody who left; also by e-mail or Slack id' },
    { text: 'details', meaning: 'for admins: what the platform shows, and after how many days data is deleted' },
    { text: 'jobs', meaning: 'for admins: when each scheduled job starts, and how its last run went' },
  ],
};

const DETAILS: RoleDenial = { what: `${HELP.command} details`, role: 'admin' };

export function createStatusFeature(deps: StatusDeps): Feature {
  const watches = [keyWatch(deps, deps.keyEvidence), groupWatch(deps), ...sourceWatches(deps), lostLimitsWatch(deps)];
  const own: Feature = {
    name: 'status',
    jobs: [capabilityJob(deps), ...watches.map(({ job }) => job)],
    actions: [changePriceAction(deps)],
    forms: [changePriceForm(deps)],
    adminStatus: async () => [
      ...(await scopeStatus(deps)),
      ...(await capabilityFaults(deps)),
      ...(await priceStatus(deps)),
    ],
    adminDetails: async () => [...(await capabilityDetails(deps)), ...(await priceDetails(deps))],
    messages: watches.flatMap(({ messages }) => messages),
    attention: [{ role: 'admin', read: () => Promise.resolve(attentionOf(deps)) }],
    adminCommands: {
      jobs: { title: JOBS_TITLE, run: (_by, opened) => opened.show(jobsView(deps.jobRuns(), deps.config.timeZone)) },
    },
    commands: [
      {
        help: HELP,
        role: 'member',
        read: ([word, ...rest]) => {
          if (word === undefined)
            return question(async (by) => by.reply.show(await readStatus({ ...deps, features: all }, by)));
          const name = word.toLowerCase();
          if (name === 'help') return { kind: 'help' };
          if (name === 'here' && rest.length === 0)
            return { ...question((by) => showPostsHere(deps.features, by)), refuses: refusesHere };
          if (name === 'details' && rest.length === 0)
            return questionFor(DETAILS, async (by) => by.reply.show(await readDetails({ ...deps, features: all })));
          if (name === 'left') return readLeft(deps, rest);
          const adminCommand = rest.length === 0 ? adminCommands.get(name) : undefined;
          const admins: RoleDenial = { what: `${HELP.command} ${name}`, role: 'admin' };
          if (adminCommand) return modalFor(admins, adminCommand.title, (by, opened) => adminCommand.run(by, opened));
          const memberCommand = memberCommands.get(name);
          if (memberCommand) return memberCommand(rest);
          const words = ['here', 'details', 'left', ...memberCommands.keys(), ...adminCommands.keys()];
          const unknown = words.includes(word) ? rest[0] : undefined;
          const corrected = didYouMean(word, words) ?? '';
          return { kind: 'misunderstood', sentence: `Unknown word “${unknown ?? word}”.`, corrected };
        },
      },
    ],
  };
  const all = [...deps.features, own];
  const adminCommands = new Map(all.flatMap((one) => Object.entries(one.adminCommands ?? {})));
  const memberCommands = new Map(Object.entries(deps.memberCommands));
  return own;
}

function attentionOf({ keyEvidence, people, clock }: StatusDeps) {
  const now = clock.now();
  return [...keyAttention(keyEvidence(), now), ...groupAttention(people.groupEvidence(), now)];
}

async function readStatus(deps: StatusDeps, { person, log }: Interaction) {
  const commands = deps.features
    .flatMap((feature) => feature.commands ?? [])
    .filter(({ role }) => hasRole(person.role, role))
    .map(({ help }) => help);
  const base = { version: packageJson.version, role: person.role, commands };
  if (hasRole(person.role, 'admin')) return statusMessage({ ...base, operator: await readOperatorFacts(deps) });
  return statusMessage({ ...base, contacts: await findContacts(deps, log) });
}

/** An admin who is also a manager is listed once. */
async function findContacts({ people, clock }: StatusDeps, log: Logger): Promise<Contacts> {
  const [admins, managers] = await Promise.all([
    readContacts({ clock, log }, () => people.admins()),
    readContacts({ clock, log }, () => people.managers()),
  ]);
  return { admins, managers: managers.filter((id) => !admins.includes(id)) };
}

async function readOperatorFacts({
  config,
  people,
  features,
  readHealth,
  jobRuns,
}: StatusDeps): Promise<OperatorFacts> {
  const [parts, needed, admins, managers] = await Promise.all([
    readHealth(),
    Promise.all(features.map(async ({ adminStatus }) => (await adminStatus?.()) ?? [])),
    people.admins(),
    Promise.all(config.managers.map((reference) => managerMarkup(reference, people))),
  ]);
  return {
    parts,
    needed: needed.flat(),
    runs: jobRuns(),
    admins: { people: admins, isFromSettings: config.admins !== undefined },
    managers,
  };
}

async function readDetails({ config, features }: Pick<StatusDeps, 'config' | 'features'>): Promise<BlockMessage> {
  const details = await Promise.all(features.map(async ({ adminDetails }) => (await adminDetails?.()) ?? []));
  return detailsMessage(details.flat(), config.retentionDays);
}

async function managerMarkup(reference: PersonReference, people: Services['people']): Promise<Markup> {
  if (reference.kind === 'user') return mention(reference.id);
  if (reference.kind === 'email') return markup`${reference.email}`;
  const handle = await people.groupHandle(reference.id);
  return handle === undefined ? markup`${UNNAMED_GROUP} (\`${reference.id}\`)` : markup`@${handle}`;
}
