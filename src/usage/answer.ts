import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Interaction } from '../slack/interactions.ts';
import { audienceOf, type Audience } from '../slack/people/audience.ts';
import type { BlockMessage } from '../slack/blocks/blocks.ts';
import { reportError } from '../slack/blocks/faults.ts';
import { plainMessage } from '../slack/blocks/messages.ts';
import { hasRole } from '../roles.ts';
import { lengthOf, type Period } from '../calendar.ts';
import { countOf } from '../numbers.ts';
import { controlsRow } from './controls-row.ts';
import { readOrganizationView, type ReadView } from './readers/organization.ts';
import type { UsageDeps } from './deps.ts';
import { readPeopleView } from './readers/people.ts';
import { choosePeriod } from './readers/period-choice.ts';
import { todayOf } from './readers/period.ts';
import { decideAccess, type RequestFor, type UsageRequest } from './commands.ts';
import { resolveSubject } from './subject.ts';
import type { FaultyPart } from './measures/figures.ts';
import { viewMessage, type AddressedView } from './views/view.ts';
import type { PartFault } from './readers/faults.ts';

/** For a channel without names it is about nobody in particular. */
export interface AnswerQuery<Readers extends Audience> {
  request: RequestFor<Readers>;
  readers: Readers;
}

interface Refusal {
  kind: 'refusal';
  message: BlockMessage;
}

export type UsageAnswer<Readers extends Audience> =
  | { kind: 'answer'; view: AddressedView<Readers>; period: Period; next?: number | undefined }
  | Refusal;

/** Decides, reads and puts into words what `/usage` answers. Rights first, then the period, then whose figures. */
export async function answerUsage<Readers extends Audience>(
  deps: UsageDeps,
  { request, readers }: AnswerQuery<Readers>,
  interaction: Pick<Interaction, 'person' | 'log' | 'reply'>,
): Promise<UsageAnswer<Readers>> {
  const { person, log } = interaction;
  const access = decideAccess(person, request);
  if (!access.allowed) return refuse(access.sentence);
  const choice = choosePeriod(request.period, todayOf(deps));
  if (choice.kind === 'none') return refuse(choice.sentence);
  const subject = await resolveSubject(deps.people, person, request.subject);
  if (subject.kind === 'unknown') return refuse(subject.sentence);
  const { period } = choice;
  interaction.reply.progress(`Reading ${countOf(lengthOf(period), 'day')} …`);
  const onProgress = (done: number, days: number) =>
    interaction.reply.progress(`Reading: ${done} of ${countOf(days, 'day')} …`);
  const isExplained = hasRole(person.role, 'manager');
  const ask = { request, period, readers, isExplained, slowest: { onProgress } };
  const read =
    subject.kind === 'organization' ? await readOrganizationView(deps, ask) : await readPeopleView(deps, ask, subject);
  const faults = reportFaults(read, log);
  const shown = read.show({ notes: [...choice.notes, ...read.notes], faults });
  return { kind: 'answer', ...shown, period: read.scope.period };
}

/** The answer that the person alone sees, with what they can do with it. */
export async function showUsage(deps: UsageDeps, request: UsageRequest, interaction: Interaction): Promise<void> {
  const answer = await answerUsage(deps, { request, readers: audienceOf(interaction.person) }, interaction);
  if (answer.kind === 'refusal') return interaction.reply.show(answer.message);
  const isManager = hasRole(interaction.person.role, 'manager');
  const row = controlsRow({ ...answer, request, isManager });
  const message = viewMessage(answer.view, [row]);
  await nextTurn();
  await interaction.reply.show(message);
}

const refuse = (sentence: string): Refusal => ({ kind: 'refusal', message: plainMessage(sentence) });

/** Each part that failed is named in the answer. When nothing is left to show, the fault is the answer. */
function reportFaults({ faults, sourceCount }: ReadView, log: Interaction['log']): PartFault[] {
  const [first] = faults;
  if (first && new Set(faults.map(({ part }) => part)).size >= sourceCount) throw first.fault;
  return faults.map(({ part, fault }: FaultyPart) => ({ part, ...reportError(fault, log, { part }) }));
}
