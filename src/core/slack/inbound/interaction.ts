import { setTimeout as delay } from 'node:timers/promises';
import type { RecordDisclosure } from '../../base/privacy/disclosure.ts';
import type {
  Interaction,
  OfferMeanings,
  ReadCommand,
  RunsInModal,
  SlashCommand,
} from '../interactions/interactions.ts';
import { createDisclosureGuard } from '../outbound/disclosure-guard.ts';
import type { BlockMessage } from '../blocks/blocks.ts';
import type { OpenModal } from '../blocks/views.ts';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../store/tables.ts';
import type { ChartSupport } from '../outbound/safe-message.ts';
import { type UserError, isInDoubt, isWorthRetrying, reportError } from '../blocks/faults.ts';
import { formAgain } from '../blocks/form-again.ts';
import type { Home } from './home.ts';
import {
  type Refusal,
  type RoleDenial,
  type TypedCommand,
  faultMessage,
  helpMessage,
  notOpenedMessage,
  plainMessage,
  roleRefusal,
} from '../blocks/messages.ts';
import type { Modals } from './modals.ts';
import {
  type FreshPerson,
  type Identification,
  type People,
  type Person,
  REFUSAL_SENTENCES,
} from '../people/people.ts';
import { hasRole } from '../../base/roles.ts';
import { readContacts } from '../people/user.ts';
import { type NamedTeam, chosenHandles, isUnknownName, meantTeam } from '../commands/team-names.ts';
import { createReply, modalReply } from './replies.ts';
import type { Reply } from '../outbound/reply.ts';
import type { PostToResponseUrl } from '../outbound/response-url.ts';
import type { TakeTurn } from './seen-events.ts';
import { correctionOf, joinWords, splitWords } from '../commands/command-text.ts';
import { MAX_COMMAND_TEXT_LENGTH } from './payload.ts';
import { formatNumber } from '../../base/text/numbers.ts';

export interface InteractionDeps {
  people: People;
  modals: Modals;
  home: Home;
  charts: ChartSupport;
  recordDisclosure: RecordDisclosure;
  /** The user groups, those first that an admin chose as teams. */
  offeredTeams: () => Promise<readonly NamedTeam[]>;
  offerMeanings: OfferMeanings;
  postToResponseUrl: PostToResponseUrl;
  takeTurn: TakeTurn;
  db: Database;
  clock: Clock;
  log: Logger;
}

/** Where a person acted, which decides where the answer appears. */
export type Origin =
  /** Another program, or a message in words, which brings its own way to answer. */
  | { kind: 'question'; reply: Reply }
  | { kind: 'message'; responseUrl: string; replacesOriginal: boolean }
  /** `submittedHash`: of the submitted view; Slack may still be applying the acknowledgement. */
  | { kind: 'modal'; viewId: string; title: string; submittedHash?: string }
  /** `hash`: of the form in which the choice was made. */
  | { kind: 'form'; viewId: string; title: string; hash: string }
  | { kind: 'home' };

type Act<Who extends Person> = (interaction: Interaction<Who>, modal: OpenModal | undefined) => Promise<void>;

/** Decided from the payload of an interaction alone. */
export type Plan = PlanBase &
  ({ isRoleFresh?: false; act: Act<Person> } | { isRoleFresh: true; act: Act<FreshPerson> });

/** Its refusal for users without the role begins with `what`: `/digest`, `This button`. */
interface PlanBase extends RoleDenial {
  outcome: string;
  mayBeGuest?: boolean;
  /** The command of the retry button after a fault. */
  retry?: TypedCommand;
  /** If set, the answer appears in a modal of this title. */
  modalTitle?: string;
}

export interface InteractionContext {
  /** Of all its arrivals one is handled. Undefined if it only reads, or continues after a crash: then it is the one. */
  once?: { interaction: string; arrival?: string | undefined } | undefined;
  slackId: string;
  triggerId: string | undefined;
  channel: string;
  origin: Origin;
  about: Record<string, unknown>;
  /** The form that was submitted or clicked in, as Slack sent it; it is shown again after a fault. */
  form?: unknown;
}

const HOME_ANSWER_TITLE = 'Quartermaster';

/** If a plan cannot be made, it reports the error to the person like any other fault. */
export function planOf(what: string, make: () => Plan): Plan {
  try {
    return make();
  } catch (error) {
    return { role: 'member', what, outcome: 'fault', act: () => Promise.reject(error) };
  }
}

/**
 * Begins the urgent steps (a modal opens within three seconds or not at all) and returns the rest. The rest runs once
 * only and checks the person's role, and any error becomes one sentence with a reference.
 */
export function beginInteraction(
  deps: InteractionDeps,
  plan: Plan,
  context: InteractionContext,
): () => Promise<string> {
  const turn = context.once ? deps.takeTurn(context.once.interaction, context.once.arrival) : Promise.resolve(true);
  // Its error is for the rest, which may begin later.
  turn.catch(() => undefined);
  const opening = openAtOnce(deps.modals, plan, context, turn);
  return async () => {
    const modal = await opening;
    const reply = replyIn(deps, context, modal, plan.modalTitle);
    const showAgain = async (fault: UserError) => {
      const form = formAgain(context.form, fault);
      if (!form || !modal) return false;
      await modal.show(form);
      return true;
    };
    return answer(deps, reply, { about: context.about, retry: plan.retry, showAgain }, async () => {
      if (!(await turn)) {
        if (modal && !('viewId' in context.origin)) await reply.show(plainMessage(ARRIVED_TWICE));
        return 'duplicate';
      }
      let refused: 'refused' | 'lacks_role' | undefined;
      const refusal = (why: Refusal) => {
        refused = isForARole(why) ? 'lacks_role' : 'refused';
        return refusalMessage(deps, why);
      };
      const admission = await identifyFor(plan, deps.people, context.slackId);
      if (admission.kind === 'refused') {
        await reply.show(plainMessage(admission.sentence));
        return 'refused';
      }
      if (admission.kind === 'lacks_role') {
        await reply.show(await refusal(plan));
        return 'lacks_role';
      }
      if (plan.modalTitle !== undefined && !modal) {
        await reply.show(notOpenedMessage(plan.retry));
        return 'unopened';
      }
      const guard = createDisclosureGuard(deps.recordDisclosure, admission.person);
      const log = deps.log.child(context.about);
      const refreshHome = () => deps.home.refresh(context.slackId);
      const guardedReply = guard.reply(reply, context.channel);
      const sendDirectMessage = (message: BlockMessage) => deps.home.sendDirectMessage(context.slackId, message);
      const rest = { channel: context.channel, reply: guardedReply, log, refusal, sendDirectMessage, refreshHome };
      await admission.act(rest, modal && guard.modal(modal));
      return refused ?? plan.outcome;
    });
  };
}

/** A trigger is valid for three seconds, and a disk may take longer to record which arrival is handled. */
const TURN_PATIENCE_MS = 500;
/** In the modal of an arrival that is not handled, opened because the store was slow. */
const ARRIVED_TWICE = 'Slack sent this twice, and it is answered once. Close this; if you see no answer, try again.';

/** Two replicas may receive the same interaction, but its trigger opens one modal. */
function mayOpen(turn: Promise<boolean>): Promise<boolean> {
  // If the store fails, the modal shows that.
  return Promise.race([turn.catch(() => true), delay(TURN_PATIENCE_MS, true, { ref: false })]);
}

/** A click inside a modal is answered in that modal; a click in App Home can only be answered in a new one. */
async function openAtOnce(
  modals: Modals,
  plan: Plan,
  context: InteractionContext,
  turn: Promise<boolean>,
): Promise<OpenModal | undefined> {
  const { origin, triggerId } = context;
  if (origin.kind === 'modal') return modals.existing(origin.viewId, origin.submittedHash);
  if (origin.kind === 'form') return modals.whileUnchanged(origin.viewId, origin.hash);
  const title = plan.modalTitle ?? (origin.kind === 'home' ? HOME_ANSWER_TITLE : undefined);
  if (title === undefined || triggerId === undefined || !(await mayOpen(turn))) return undefined;
  return modals.open(triggerId, title);
}

function replyIn(
  deps: InteractionDeps,
  { origin, slackId }: InteractionContext,
  modal: OpenModal | undefined,
  title = 'title' in origin ? origin.title : HOME_ANSWER_TITLE,
): Reply {
  if (origin.kind === 'question') return origin.reply;
  if (modal) return modalReply(modal, title);
  if (origin.kind === 'message') return createReply({ ...deps, ...origin });
  return deps.home.directReply(slackId);
}

interface OnFault {
  about: Record<string, unknown>;
  retry: TypedCommand | undefined;
  /** False if there is no form. */
  showAgain: (fault: UserError) => Promise<boolean>;
}

/** An error becomes one sentence for the person, and is logged in full. */
async function answer(
  deps: InteractionDeps,
  reply: Reply,
  { about, retry, showAgain }: OnFault,
  run: () => Promise<string>,
): Promise<string> {
  try {
    return await run();
  } catch (error) {
    const fault = reportError(error, deps.log, about);
    // An action that may already be done is not offered again.
    const isShown = !isInDoubt(error) && (await showAgain(fault));
    if (!isShown) await reply.show(faultMessage(fault, isWorthRetrying(error) ? retry : undefined));
    return 'fault';
  } finally {
    reply.end();
  }
}

type Admission =
  | {
      kind: 'admitted';
      person: Person;
      act: (rest: Omit<Interaction, 'person'>, modal: OpenModal | undefined) => Promise<void>;
    }
  | { kind: 'refused'; sentence: string }
  | { kind: 'lacks_role' };

async function identifyFor(plan: Plan, people: People, slackId: string): Promise<Admission> {
  if (plan.isRoleFresh) return admit(plan, await people.identifyAfresh(slackId), plan.act);
  const identification = await people.identify(slackId);
  const isGuest = identification.kind === 'refused' && identification.reason === 'guest';
  return admit(
    plan,
    isGuest && plan.mayBeGuest ? { kind: 'known', person: guestOf(slackId) } : identification,
    plan.act,
  );
}

const isForARole = (why: Refusal) => typeof why !== 'string' && 'role' in why;

async function refusalMessage(deps: InteractionDeps, why: Refusal): Promise<BlockMessage> {
  if (typeof why === 'string' || !('role' in why)) return plainMessage(why);
  return roleRefusal(why, await readContacts(deps, () => deps.people.admins()));
}

const guestOf = (slackId: string): Person => ({
  slackId,
  name: '',
  email: undefined,
  timeZone: 'UTC',
  role: 'member',
  seesPeople: false,
});

function admit<Who extends Person>({ role }: Plan, identification: Identification<Who>, act: Act<Who>): Admission {
  if (identification.kind === 'refused') return { kind: 'refused', sentence: REFUSAL_SENTENCES[identification.reason] };
  const { person } = identification;
  if (!hasRole(person.role, role)) return { kind: 'lacks_role' };
  return { kind: 'admitted', person, act: (rest, modal) => act({ ...rest, person }, modal) };
}

export type PlanningDeps = Pick<InteractionDeps, 'clock' | 'offeredTeams' | 'offerMeanings'>;

/** The plan for a slash command, or for a button that runs one. */
export function planCommand(
  { clock, offeredTeams, offerMeanings }: PlanningDeps,
  commands: ReadonlyMap<string, SlashCommand>,
  typed: { command: string; text: string },
): Plan {
  return planOf(typed.command, () => {
    const command = commands.get(typed.command);
    if (!command) return sentencePlan(`This version of Quartermaster does not know ${typed.command}.`);
    const base = { role: command.role, what: typed.command };
    if (typed.text.length > MAX_COMMAND_TEXT_LENGTH) {
      const sentence = `That is too long for ${typed.command}: use at most ${formatNumber(MAX_COMMAND_TEXT_LENGTH)} characters.`;
      return {
        ...base,
        outcome: 'misunderstood',
        act: ({ reply }) => reply.show(helpMessage(command.help, { sentence })),
      };
    }
    const readAgain = (words: readonly string[]) => command.read(words, clock.now());
    const read = readAgain(splitWords(typed.text));
    const retry = () => ({ command: command.help.command, text: sameWords(typed.text, readAgain) });
    switch (read.kind) {
      case 'run': {
        const answered = { ...base, ...read.onlyFor, outcome: 'answered', retry: retry() };
        return read.isRoleFresh ? { ...answered, isRoleFresh: true, act: read.run } : { ...answered, act: read.run };
      }
      case 'modal':
        return {
          ...base,
          ...read.onlyFor,
          outcome: 'answered',
          retry: retry(),
          modalTitle: read.title,
          ...inModal(read),
        };
      case 'help':
        // Help is public: users without the role learn there which people to ask.
        return {
          ...base,
          role: 'member',
          outcome: read.kind,
          act: async ({ reply }) => {
            const teams = command.help.takesTeams ? await offeredTeams() : [];
            await reply.show(helpMessage(command.help, { role: command.role, teams: chosenHandles(teams) }));
          },
        };
      case 'misunderstood':
        return {
          ...base,
          outcome: read.kind,
          act: async ({ person, channel, reply }) => {
            const fault = faultOf(read, readAgain);
            const words = splitWords(typed.text);
            const isAboutTeam = command.help.takesTeams && words.some(isUnknownName);
            const teamFault = isAboutTeam ? meantTeam(words, await offeredTeams(), readAgain) : undefined;
            // A correction with as many words is one of slips. With more or fewer it is a poor guess at a sentence.
            const isSlip = fault.corrected && splitWords(fault.corrected.text).length === words.length;
            const meanings =
              teamFault || isSlip ? undefined : await offerMeanings(typed, { person, channel }, commands);
            const isBetter = meanings && meanings.buttons.length > 0 && (meanings.isClear || !fault.corrected);
            const meant = isBetter ? { sentence: fault.sentence, meanings: meanings.buttons } : undefined;
            await reply.show(helpMessage(command.help, meant ?? teamFault ?? fault));
          },
        };
      default:
        return read satisfies never;
    }
  });
}

const sameWords = (text: string, readAgain: (words: readonly string[]) => ReadCommand) =>
  correctionOf({ kind: 'misunderstood', corrected: joinWords(splitWords(text)) }, readAgain);

function faultOf(
  read: Extract<ReadCommand, { kind: 'misunderstood' }>,
  readAgain: (words: readonly string[]) => ReadCommand,
) {
  return { sentence: read.sentence, corrected: correctionOf(read, readAgain) };
}

export function sentencePlan(sentence: string): Plan {
  return {
    role: 'member',
    what: 'This',
    outcome: 'unknown',
    act: ({ reply }) => reply.show(plainMessage(sentence)),
  };
}

const whenOpen =
  <Who extends Person>(run: (interaction: Interaction<Who>, modal: OpenModal) => Promise<void>) =>
  async (interaction: Interaction<Who>, modal: OpenModal | undefined) =>
    modal && run(interaction, modal);

export function inModal(inside: RunsInModal) {
  return inside.isRoleFresh
    ? ({ isRoleFresh: true, act: whenOpen(inside.run) } as const)
    : ({ act: whenOpen(inside.run) } as const);
}
