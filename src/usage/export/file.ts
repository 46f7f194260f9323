import type { Part } from '../../analytics/facts.ts';
import { personKey } from '../../analytics/person-credits.ts';
import type { Click, Interaction } from '../../slack/interactions.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import { hasRole } from '../../roles.ts';
import type { Period } from '../../calendar.ts';
import { readSlackFault } from '../../slack/connection/errors.ts';
import { markup } from '../../markup.ts';
import { countOf } from '../../numbers.ts';
import { lengthOf } from '../../calendar.ts';
import { peopleCsvHeader, peopleCsvLines } from './people-csv.ts';
import { organizationCsv, type OrganizationView } from './organization-csv.ts';
import type { UsageDeps } from '../deps.ts';
import { choosePeriod } from '../readers/period-choice.ts';
import { settleBy, todayOf, withQuietDays } from '../readers/period.ts';
import { decideAccess, type UsageRequest, type UsageViewName } from '../commands.ts';
import { resolveSubject, type Subject } from '../subject.ts';

interface CsvFile {
  name: string;
  title: string;
  content: string;
  /** It holds rows of single people: then it goes to the one who asked, never into a channel. */
  hasNames: boolean;
}

/** A click in a channel's message, whose thread the file may go to. */
const isClick = (interaction: Interaction): interaction is Click => 'isEphemeral' in interaction;

/** Sends what was asked for as a file: into the thread of a shared message, or by direct message. */
export async function sendCsv(deps: UsageDeps, request: UsageRequest, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  const access = decideAccess(person, request);
  if (!access.allowed) return reply.add(plainMessage(access.sentence));
  const choice = choosePeriod(request.period, todayOf(deps));
  if (choice.kind === 'none') return reply.add(plainMessage(choice.sentence));
  const subject = await resolveSubject(deps.people, person, request.subject);
  if (subject.kind === 'unknown') return reply.add(plainMessage(subject.sentence));
  const file = await makeFile(deps, request, choice.period, subject, interaction);
  const { name, title, content } = file;
  const comment = markup`${title}. UTC days.`;
  const upload = { name, title, content, comment };
  if (isClick(interaction) && !interaction.isEphemeral && !file.hasNames && interaction.messageTs !== undefined) {
    const { channel, messageTs, threadTs = messageTs } = interaction;
    const verdict = await deps.channels.judge(channel);
    if (verdict.kind === 'allowed' && (await wasTaken(() => deps.files.send({ ...upload, to: { channel, threadTs } }))))
      return reply.add(plainMessage(`${name} is in the thread of the message.`));
  }
  await deps.files.send({ ...upload, to: { person: person.slackId } });
  await reply.add(plainMessage(`${name} is in your direct messages with Quartermaster.`));
}

/** Where the bot is no member the file cannot go: then it goes to the person. */
async function wasTaken(send: () => Promise<void>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind === 'refused' && ['not_in_channel', 'channel_not_found', 'is_archived'].includes(fault.code))
      return false;
    throw error;
  }
}

async function makeFile(
  deps: UsageDeps,
  request: UsageRequest,
  period: Period,
  subject: Exclude<Subject, { kind: 'unknown' }>,
  { person, reply }: Interaction,
): Promise<CsvFile> {
  reply.progress(`Reading ${countOf(lengthOf(period), 'day')} …`);
  const options = {
    onProgress: (done: number, days: number) => reply.progress(`Reading: ${done} of ${countOf(days, 'day')} …`),
  };
  const today = todayOf(deps);
  const activity = await deps.days.activity(period);
  const { scope } = settleBy(request.period, period, activity, today);
  const days = `${scope.period.first} to ${scope.period.last}`;
  const view = organizationView(request.view);
  if (subject.kind !== 'organization' || view === undefined) {
    if (subject.kind === 'organization' && !hasRole(person.role, 'manager'))
      throw new Error('Rows of people were asked for without the right to see them');
    const wanted = subject.kind !== 'organization' ? new Set(subject.emails) : undefined;
    const content = await peopleRows(deps, scope.period, wanted, options);
    const label = subject.kind !== 'organization' ? subject.label : 'everybody';
    return { name: fileName('people', scope.period), title: `Usage of ${label}, ${days}`, content, hasNames: true };
  }
  const [credits, tools, productivity] = await Promise.all([
    deps.days.credits(scope.period, options),
    deps.days.tools(scope.period),
    deps.days.productivity(scope.period),
  ]);
  const facts = { credits: withQuietDays(credits, activity), activity, tools, productivity };
  for (const part of NEEDED[view]) throwIfUnreadable(facts[part]);
  const content = organizationCsv(facts, view, scope.period);
  return { name: fileName(view, scope.period), title: `Usage by day: ${view}, ${days}`, content, hasNames: false };
}

/** What moved is made of all days' figures: its file is that of the summary. */
function organizationView(view: UsageViewName): OrganizationView | undefined {
  if (view === 'people') return undefined;
  return view === 'moved' ? 'summary' : view;
}

const NEEDED: Record<OrganizationView, readonly ('credits' | 'activity' | 'tools' | 'productivity')[]> = {
  summary: ['credits', 'activity', 'productivity'],
  credits: ['credits'],
  models: ['credits'],
  tools: ['tools'],
  activity: ['activity'],
  productivity: ['productivity'],
};

/** A file with a part missing looks like one that is whole: rather none. */
function throwIfUnreadable(part: Part<unknown>): void {
  if (part.kind === 'unreadable') throw part.fault;
}

async function peopleRows(
  { days }: UsageDeps,
  period: Period,
  wanted: ReadonlySet<string> | undefined,
  options: { onProgress: (done: number, days: number) => void },
): Promise<string> {
  const byDay = new Map<string, string[]>();
  const folded = await days.users(
    period,
    (row) => {
      if (wanted && !wanted.has(personKey(row))) return;
      const lines = byDay.get(row.date) ?? [];
      byDay.set(row.date, lines);
      lines.push(peopleCsvLines([row]));
    },
    options,
  );
  throwIfUnreadable(folded);
  const sorted = [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lines]) => lines);
  return peopleCsvHeader() + sorted.join('');
}

function fileName(what: string, { first, last }: Period): string {
  return first === last ? `usage-${what}-${first}.csv` : `usage-${what}-${first}-to-${last}.csv`;
}
