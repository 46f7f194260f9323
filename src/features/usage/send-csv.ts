import type { Disclosure } from '../../core/base/privacy/disclosure.ts';
import type { DaysOptions } from '../../core/analytics/day-facts.ts';
import { createIdentities, isOneOf } from '../../core/analytics/person-credits.ts';
import type { Day, Period } from '../../core/base/time/calendar.ts';
import type { Column } from '../../core/base/text/columns.ts';
import { csvHeader, csvLines, csvRows, type CsvCell } from '../../core/base/text/csv.ts';
import { markup } from '../../core/base/text/markup.ts';
import { plainMessage } from '../../core/slack/blocks/messages.ts';
import { readSlackFault } from '../../core/slack/client/errors.ts';
import { isTargetRefusal } from '../../core/slack/client/refusal-codes.ts';
import { answerWithFile } from '../../core/slack/interactions/file-answer.ts';
import type { Click, Interaction } from '../../core/slack/interactions/interactions.ts';
import { CHANNEL, audienceOf } from '../../core/slack/people/audience.ts';
import { decideQuestion, reportProgress, withoutProgress, type QuestionDecision } from './answer.ts';
import { CATALOGUE } from './catalogue.ts';
import { decideFileAccess, type UsageRequest } from './usage-command.ts';
import type { UsageDeps } from './usage-deps.ts';
import { settlePeriod, withRoom } from '../../core/analytics/period.ts';
import { findInactive } from '../../core/figures/measures/inactive.ts';
import { readFacts, type FactsQuery } from './usage-facts.ts';
import { throwIfUnreadable } from './export/organization-csv.ts';
import { readPriceList } from '../../core/figures/money/price-list.ts';
import type { UserRow } from '../../core/platform/endpoints/analytics-rows.ts';
import { priceColumns } from './export/price-columns.ts';
import { PERSON_COLUMNS } from './export/people-csv.ts';

export interface CsvFile {
  name: string;
  title: string;
  content: string;
  note?: string | undefined;
  /** Whether it has rows of single people: then it goes to the person who asked, never to a channel. */
  hasNames: boolean;
}

/** Only a click belongs to a message, whose thread may receive the file. */
export const isClick = (interaction: Interaction): interaction is Click => 'isEphemeral' in interaction;

/** Sends a file: into the thread of a shared message, or by direct message. */
export async function sendCsv(deps: UsageDeps, request: UsageRequest, original: Interaction): Promise<void> {
  const interaction = isClick(original) ? withoutProgress(original) : original;
  const { person, reply } = interaction;
  const access = decideFileAccess(person, request);
  if (!access.allowed) return reply.add(await interaction.refusal(access.why));
  const decision = await decideQuestion(deps, request, person);
  if (decision.kind === 'refused') return reply.add(await interaction.refusal(decision.why));
  const { subject } = decision;
  const of = subject.kind === 'organization' ? 'everybody' : subject.emails;
  await deliverFile(deps, await makeFile(deps, request, decision, interaction), of, interaction);
}

/** Sends a file without names to the thread of the clicked message if all its readers saw that; else to the person. */
export async function deliverFile(
  deps: Pick<UsageDeps, 'channels' | 'files'>,
  { name, title, content, note, hasNames }: CsvFile,
  of: Disclosure['of'],
  interaction: Interaction,
): Promise<void> {
  const comment = markup`${title}. UTC days.${note === undefined ? markup`` : markup` ${note}.`}`;
  const names: Disclosure = { what: 'file', of };
  const upload = { name, title, content, comment, ...(hasNames ? { names } : {}) };
  if (isClick(interaction) && !interaction.isEphemeral && !hasNames && interaction.messageTs !== undefined) {
    const { channel, messageTs, threadTs = messageTs } = interaction;
    const verdict = await deps.channels.checkReaders(channel);
    if (
      verdict.kind === 'allowed' &&
      (await sendUnlessNotMember(() => deps.files.send({ ...upload, to: { channel, threadTs } })))
    )
      return interaction.reply.add(plainMessage(`${name} is in the thread of the message.`));
  }
  await answerWithFile(deps.files, interaction, upload);
}

/** Returns `false` if the bot is not in the channel: then the file goes to the person instead. */
async function sendUnlessNotMember(send: () => Promise<void>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    const fault = readSlackFault(error);
    if (fault.kind === 'refused' && isTargetRefusal(fault.code)) return false;
    throw error;
  }
}

const NO_TEAMS_FILE = 'Teams have no file of their own: this one has a row for each day and person';

async function makeFile(
  deps: UsageDeps,
  request: UsageRequest,
  { period: requestedPeriod, today, subject, beginning }: Extract<QuestionDecision, { kind: 'allowed' }>,
  { person, reply }: Interaction,
): Promise<CsvFile> {
  const options = reportProgress(reply, requestedPeriod);
  const activity = await deps.days.activity(withRoom(request.period, requestedPeriod));
  const scope = settlePeriod(request.period, requestedPeriod, activity, today, beginning);
  const { period } = scope;
  const days = `${period.first} to ${period.last}`;
  const isOrganization = subject.kind === 'organization';
  const { csv } = CATALOGUE[request.view];
  if (isOrganization && csv) {
    const query = { scope, range: period, readers: CHANNEL, isExplained: false, options, activity };
    const content = await csv.read(deps, query);
    const title = `Usage by day: ${csv.name}, ${days}`;
    return { name: fileName(csv.name, period), title, content, note: csv.note, hasNames: false };
  }
  if ((isOrganization || subject.kind === 'team') && !person.seesPeople)
    throw new Error('Rows of people were requested without the right to see them');
  const emails = isOrganization ? undefined : new Set(subject.emails);
  const query = { scope, range: period, readers: audienceOf(person), isExplained: false, options, activity };
  const columns = [...PERSON_COLUMNS, ...priceColumns<UserRow>(await readPriceList(deps.db))];
  const inactive = await inactiveRows(deps, query, emails, columns.length);
  const content = (await peopleRows(deps, period, emails, { columns, options })) + inactive;
  const label = isOrganization ? 'everybody' : subject.label;
  const notes = [...(request.view === 'teams' ? [NO_TEAMS_FILE] : []), ...(inactive === '' ? [] : [WITHOUT_DAY])];
  const note = notes.length === 0 ? undefined : notes.join('. ');
  return { name: fileName('people', period), title: `Usage of ${label}, ${days}`, content, note, hasNames: true };
}

const WITHOUT_DAY = 'Rows without a day are people who had no activity in these days';

/** Returns rows for the people without activity, if the reader may see them. */
async function inactiveRows(
  deps: UsageDeps,
  query: FactsQuery,
  emails: ReadonlySet<string> | undefined,
  columnCount: number,
): Promise<string> {
  const { totals, known } = await readFacts(deps, ['totals', 'known'], query);
  if (!known || totals.days.kind === 'unreadable') return '';
  const { inactive } = findInactive(known, totals.people);
  const theirs = inactive.filter((person) => !emails || isOneOf(person, emails));
  const blanks = Array.from({ length: columnCount - 3 }, () => '');
  return csvLines(theirs.map(({ email = '', userId }) => ['', email, userId, ...blanks]));
}

async function peopleRows(
  { days }: UsageDeps,
  period: Period,
  emails: ReadonlySet<string> | undefined,
  { columns, options }: { columns: readonly Column<UserRow, CsvCell>[]; options: DaysOptions },
): Promise<string> {
  const identities = createIdentities();
  const lines: { day: Day; place: number; line: string }[] = [];
  const folded = await days.users(
    period,
    (row) => {
      const place = identities.learnRow(row, row.date);
      lines.push({ day: row.date, place, line: csvRows(columns, [row]) });
    },
    options,
  );
  throwIfUnreadable(folded);
  const theirs = identities.people().filter(({ identity }) => !emails || isOneOf(identity, emails));
  const theirPlaces = new Set(theirs.flatMap(({ places }) => places));
  const sorted = lines
    .filter(({ place }) => theirPlaces.has(place))
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  return csvHeader(columns) + sorted.map(({ line }) => line).join('');
}

function fileName(what: string, { first, last }: Period): string {
  return first === last ? `usage-${what}-${first}.csv` : `usage-${what}-${first}-to-${last}.csv`;
}
