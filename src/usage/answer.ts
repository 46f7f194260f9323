import type { Interaction } from '../feature.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { PlatformError } from '../platform/errors.ts';
import type { Clock } from '../schedule/clock.ts';
import type { BlockMessage } from '../slack/blocks.ts';
import { tellFault } from '../slack/faults.ts';
import { plainMessage } from '../slack/messages.ts';
import { hasRole, type People, type Person } from '../slack/people.ts';
import { dayOf, lengthOf, periodBefore, type Period } from '../slack/periods.ts';
import { countOf } from '../slack/text.ts';
import { readCreditsByPerson, readOrganizationFacts, readUserRows } from './facts.ts';
import { peopleMessage } from './people-blocks.ts';
import { buildPeopleReport } from './people-report.ts';
import { choosePeriod, comparisonNote, periodToRead, periodWithRoom, settlePeriod } from './period-choice.ts';
import { creditsOfPeople, personKey } from '../analytics/person-credits.ts';
import type { PartFault } from './pieces.ts';
import { buildSummary, lastPublishedDay } from './report.ts';
import { decideAccess, type UsageRequest } from './request.ts';
import { resolveSubject, type Subject } from './subject.ts';
import { summaryMessage } from './summary-blocks.ts';

export interface UsageParts {
  platform: PlatformClient;
  people: People;
  clock: Clock;
}

export interface AnswerWish {
  request: UsageRequest;
  /** Rows of single people in the organization's summary. */
  withPeople: boolean;
  /** Buttons that share the answer. */
  withButtons: boolean;
}

export type UsageAnswer = { kind: 'answer'; message: BlockMessage } | { kind: 'refusal'; message: BlockMessage };

/** Decides, reads and writes the answer to `/usage`. Rights first, then the period, then whose figures. */
export async function answerUsage(parts: UsageParts, wish: AnswerWish, interaction: Interaction): Promise<UsageAnswer> {
  const { request } = wish;
  const access = decideAccess(interaction.person, request.scope);
  if (!access.allowed) return refuse(access.sentence);
  const choice = choosePeriod(request.period, dayOf(parts.clock.now()));
  if (choice.kind === 'none') return refuse(choice.sentence);
  const subject = await resolveSubject(parts.people, interaction.person, request.scope);
  if (subject.kind === 'unknown') return refuse(subject.sentence);
  interaction.reply.progress(`Reading ${countOf(lengthOf(choice.period), 'day')} …`);
  const chosen = { ...wish, period: choice.period, notes: choice.notes };
  const message =
    subject.kind === 'organization'
      ? await organizationAnswer(parts, chosen, interaction)
      : await peopleAnswer(parts, chosen, subject, interaction);
  return { kind: 'answer', message };
}

const refuse = (sentence: string): UsageAnswer => ({ kind: 'refusal', message: plainMessage(sentence) });

type ChosenWish = AnswerWish & { period: Period; notes: string[] };

async function organizationAnswer(
  parts: UsageParts,
  wish: ChosenWish,
  interaction: Interaction,
): Promise<BlockMessage> {
  const { person } = interaction;
  const isManager = hasRole(person.role, 'manager');
  const readPeriod = periodToRead(wish.request.period, wish.period);
  const [facts, credits] = await Promise.all([
    readOrganizationFacts(parts.platform, readPeriod, () => parts.clock.now()),
    // Only where a person's row is needed: the answer grows with the organization.
    wish.withPeople ? readCreditsByPerson(parts.platform, periodWithRoom(wish.request.period, wish.period)) : undefined,
  ]);
  const settled = settlePeriod(wish.request.period, wish.period, lastPublishedDay(facts));
  const comparedWith = periodBefore(settled.period);
  const report = buildSummary(facts, settled.period, comparedWith, isManager ? credits : undefined);
  if (report.faults[0] && report.faults.length >= 3) throw report.faults[0].fault;
  const notes = [...wish.notes, ...settled.notes, ...comparisonNote(comparedWith)];
  const faults = tellParts(report.faults, interaction);
  const isWithin = (row: { date: string }) => row.date >= settled.period.first && row.date <= settled.period.last;
  const own =
    credits?.kind === 'read' && !isManager
      ? ownCredits(creditsOfPeople(credits.rows.filter(isWithin)), person)
      : undefined;
  return summaryMessage({ report, own, notes, faults }, shareValue(wish));
}

function ownCredits(people: ReturnType<typeof creditsOfPeople>, person: Person) {
  if (person.email === undefined) return undefined;
  return (
    people.find((candidate) => candidate.key === person.email) ?? {
      key: person.email,
      email: person.email,
      userId: '',
      credits: 0,
    }
  );
}

async function peopleAnswer(
  parts: UsageParts,
  wish: ChosenWish,
  subject: Extract<Subject, { kind: 'people' }>,
  interaction: Interaction,
): Promise<BlockMessage> {
  const credits = await readCreditsByPerson(parts.platform, periodToRead(wish.request.period, wish.period));
  const published =
    credits.kind === 'read'
      ? credits.rows
          .map((row) => row.date)
          .toSorted()
          .at(-1)
      : undefined;
  const settled = settlePeriod(wish.request.period, wish.period, published);
  const wanted = new Set(subject.emails);
  const days = lengthOf(settled.period);
  const rows = await readUserRows(
    parts.platform,
    settled.period,
    (row) => wanted.has(personKey(row)),
    (done) => interaction.reply.progress(`Reading: ${done} of ${countOf(days, 'day')} …`),
  );
  const comparedWith = periodBefore(settled.period);
  const report = buildPeopleReport(
    { readAt: parts.clock.now(), credits, rows },
    { label: subject.label, emails: subject.emails, period: settled.period, comparedWith },
  );
  if (credits.kind === 'unreadable' && rows.kind === 'unreadable') throw credits.fault;
  const notes = [...wish.notes, ...settled.notes, ...comparisonNote(comparedWith), ...subject.notes];
  return peopleMessage(
    { report, notes, faults: tellParts(report.faults, interaction), withPeople: wish.withPeople },
    shareValue(wish),
  );
}

function tellParts(faults: readonly { part: string; fault: PlatformError }[], interaction: Interaction): PartFault[] {
  return faults.map(({ part, fault }) => ({ part, ...tellFault(fault, interaction.log, { part }) }));
}

/** What a share button carries: the request itself. Everything else is read again when it is clicked. */
function shareValue(wish: ChosenWish): string | undefined {
  return wish.withButtons ? JSON.stringify(wish.request) : undefined;
}
