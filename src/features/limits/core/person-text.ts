import { listMarkup, markup, mention, type Markup, joinMarkup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { dayOf, formatDay } from '../../../core/base/time/calendar.ts';
import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import { shownOfText, textOfShown, type ShownLimit } from '../../../core/platform/capabilities/shown-limit.ts';
import { BOT_ACTOR } from '../../../core/store/audit.ts';
import type { ExplainedEntry } from './ledger.ts';
import type { LedgerEntry, LimitPerson } from './limit-tables.ts';
import type { FaultGroup } from './requests.ts';

export function nameOf({ slackId, email }: Pick<LimitPerson, 'slackId' | 'email'>): Markup {
  return slackId === null ? markup`${email} (not in Slack)` : mention(slackId);
}

/** @param by a Slack id, or Quartermaster for a policy */
export const approverName = (by: string): Markup => (by === BOT_ACTOR ? markup`a policy` : mention(by));

export type LimitOfPlatform = Extract<KnownLimit, { kind: 'shown' | 'unlimited' | 'unclear' }>;

const NO_LONGER_SHOWN = / (\d{4}-\d\d-\d\dT\S+)$/;

/** What a request stores of the limit that the platform shows, with the time if it is not shown any more. */
export function shownBefore(limit: KnownLimit): string | undefined {
  const shown = shownOf(limit);
  if (!shown || !('isCurrent' in limit)) return undefined;
  return limit.isCurrent ? textOfShown(shown) : `${textOfShown(shown)} ${limit.at.toISOString()}`;
}

function shownOf(limit: KnownLimit): ShownLimit | undefined {
  switch (limit.kind) {
    case 'none':
    case 'declared':
    case 'set':
      return undefined;
    case 'shown':
      return { kind: limit.isForEverybody ? 'everybody' : 'own', value: limit.value };
    case 'unlimited':
    case 'unclear':
      return { kind: limit.kind };
    default:
      return limit satisfies never;
  }
}

/** @example shownWords({ kind: 'everybody', value: 5_000_000 }) // '5,000,000 (for everybody)' */
export function shownWords(shown: ShownLimit | LimitOfPlatform): string {
  switch (shown.kind) {
    case 'own':
      return formatAmount(shown.value);
    case 'everybody':
      return `${formatAmount(shown.value)} (for everybody)`;
    case 'shown':
      return `${formatAmount(shown.value)}${shown.isForEverybody ? ' (for everybody)' : ''}`;
    case 'unlimited':
      return 'no limit';
    case 'unclear':
      return 'current limit unclear';
    default:
      return shown satisfies never;
  }
}

/**
 * @param declared by an admin, if Quartermaster has not set a limit and the platform shows none
 * @param shown the stored text of the limit that the platform shows
 */
export function currentLimitWords(
  value: number | null | undefined,
  declared?: number | null,
  shown?: string | null,
): string {
  if (shown !== null && shown !== undefined) {
    const at = NO_LONGER_SHOWN.exec(shown)?.[1];
    const since = at === undefined ? '' : ` (last shown ${formatDay(dayOf(new Date(at)))})`;
    return `${shownWords(shownOfText(shown))}${since}`;
  }
  if (value !== null && value !== undefined) return formatAmount(value);
  return declared === null || declared === undefined
    ? 'current limit unknown'
    : `${formatAmount(declared)} (declared, not set here)`;
}

/**
 * Returns who caused a limit. An undo and the end of a raise have no requester.
 *
 * @example sourceOf(entry) // 'requested by @Mia, approved by @Ada'
 */
export function sourceOf({ kind, parentId, askedBy, approvedBy }: ExplainedEntry): Markup {
  switch (kind) {
    case 'undo':
      return markup`${approverName(approvedBy)} undid request \`${parentId ?? ''}\``;
    case 'return':
      return markup`the end of a raise that ${approverName(approvedBy)} approved (request \`${parentId ?? ''}\`)`;
    case 'policy':
      return markup`a first limit, approved by ${approverName(approvedBy)}`;
    case 'ask':
    case 'import':
    case null:
      return markup`requested by ${mention(askedBy)}, approved by ${approverName(approvedBy)}`;
    default:
      return kind satisfies never;
  }
}

export const undoEffect = (
  person: Pick<LimitPerson, 'slackId' | 'email'>,
  { value, removes }: { value: number; removes: boolean },
): Markup =>
  removes
    ? markup`The limit of ${nameOf(person)} is removed again.`
    : markup`The limit of ${nameOf(person)} is set to *${formatAmount(value)}* again.`;

const MAX_DECIDERS = 5;

/** @example decidersLine([ada, nora]) // 'Can decide: @Ada, @Nora' */
export function decidersLine(deciders: readonly { slackId: string }[]): Markup {
  return markup`Can decide: ${listMarkup(
    deciders.map(({ slackId }) => mention(slackId)),
    MAX_DECIDERS,
  )}`;
}

export const WITHOUT_OWN = 'no limit of their own';

/** What was requested. @example requestedWords({ toValue: 5_000_000, removes: null }) // '5,000,000' */
export const requestedWords = ({ toValue, removes }: Pick<LimitPerson, 'toValue' | 'removes'>): string =>
  removes === 1 ? WITHOUT_OWN : formatAmount(toValue);

/** What was set here. */
export const entryWords = ({ value, removed }: Pick<LedgerEntry, 'value' | 'removed'>): string =>
  removed === 1 ? WITHOUT_OWN : formatAmount(value);

/** Whether their own limit is removed. A platform that stopped showing limits was sent a value instead. */
export const isRemoval = ({ state, removes, setValue }: Pick<LimitPerson, 'state' | 'removes' | 'setValue'>): boolean =>
  removes === 1 && !(state === 'set' && setValue !== null);

export function personLine(person: LimitPerson): Markup {
  const from = currentLimitWords(person.fromValue, person.fromDeclared, person.shownBefore);
  const approved = person.approvedValue ?? person.toValue;
  const requestedClause =
    approved === person.toValue ? markup`` : markup` (requested: ${formatAmount(person.toValue)})`;
  if (person.state === 'left_out')
    return markup`${nameOf(person)}: left out (requested: ${requestedWords(person)})${person.error === null ? '' : `. ${person.error}`}`;
  const target = isRemoval(person) ? WITHOUT_OWN : formatAmount(approved);
  return markup`${nameOf(person)}: ${from} → *${target}*${requestedClause}${outcomeClause(person, approved)}`;
}

interface Outcome {
  separator: '' | ', ' | '. ';
  outcome: Markup;
}

function outcomeClause(person: Pick<LimitPerson, 'state' | 'error' | 'setValue'>, approved: number): Markup {
  const { separator, outcome } = outcomeOf(person, approved);
  return joinMarkup([markup``, outcome], separator);
}

function outcomeOf(
  { state, error, setValue: value }: Pick<LimitPerson, 'state' | 'error' | 'setValue'>,
  approved: number,
): Outcome {
  switch (state) {
    case 'asked':
    case 'left_out':
      return { separator: '', outcome: markup`` };
    case 'queued':
      return error === null
        ? { separator: '', outcome: markup`` }
        : { separator: ', ', outcome: markup`not sent yet. ${error}` };
    case 'sending':
      return { separator: ', ', outcome: markup`being sent` };
    case 'set':
      return value === null || value === approved
        ? { separator: ', ', outcome: markup`set` }
        : { separator: '. ', outcome: markup`The platform says that it set *${formatAmount(value)}*` };
    case 'refused':
      return { separator: '. ', outcome: markup`*Not set.* The platform said: “${error ?? ''}”` };
    case 'failed':
      return { separator: '. ', outcome: markup`*Not set.* ${error ?? ''}` };
    case 'unknown':
      return { separator: '. ', outcome: markup`*Unconfirmed.* ${error ?? ''}` };
    case 'superseded':
      return { separator: '. ', outcome: markup`${error ?? ''}` };
    default:
      return state satisfies never;
  }
}

export function faultGroupLine({ state, error, count }: FaultGroup): Markup {
  const { separator, outcome } = outcomeOf({ state, error, setValue: null }, 0);
  return joinMarkup([markup`*${peopleWords(count)}*`, outcome], separator === '. ' ? ': ' : separator);
}

export const peopleWords = (count: number): string => countOf(count, 'person', 'people');
