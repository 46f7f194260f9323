import { markup, mention, type Markup, joinMarkup } from '../../base/text/markup.ts';
import { countOf } from '../../base/text/numbers.ts';
import { formatAmount } from '../../base/text/amounts.ts';
import type { LimitPerson } from './limit-tables.ts';
import type { FaultGroup } from './requests.ts';

export function nameOf({ slack_id: slackId, email }: Pick<LimitPerson, 'slack_id' | 'email'>): Markup {
  return slackId === null ? markup`${email} (not in Slack)` : mention(slackId);
}

/** Before Quartermaster sets a person’s limit, the limit is unknown: the platform gives no way to read it. */
export function currentLimitWords(value: number | null | undefined): string {
  return value === null || value === undefined ? 'current limit unknown' : formatAmount(value);
}

export function personLine(person: LimitPerson): Markup {
  const from = currentLimitWords(person.from_value);
  const approved = person.approved_value ?? person.to_value;
  const requestedClause =
    approved === person.to_value ? markup`` : markup` (requested: ${formatAmount(person.to_value)})`;
  if (person.state === 'left_out')
    return markup`${nameOf(person)}: left out (requested: ${formatAmount(person.to_value)})${person.error === null ? '' : `. ${person.error}`}`;
  return markup`${nameOf(person)}: ${from} → *${formatAmount(approved)}*${requestedClause}${outcomeClause(person, approved)}`;
}

interface Outcome {
  separator: '' | ', ' | '. ';
  outcome: Markup;
}

function outcomeClause(person: Pick<LimitPerson, 'state' | 'error' | 'set_value'>, approved: number): Markup {
  const { separator, outcome } = outcomeOf(person, approved);
  return joinMarkup([markup``, outcome], separator);
}

function outcomeOf(
  { state, error, set_value: value }: Pick<LimitPerson, 'state' | 'error' | 'set_value'>,
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
  const { separator, outcome } = outcomeOf({ state, error, set_value: null }, 0);
  return joinMarkup([markup`*${peopleWords(count)}*`, outcome], separator === '. ' ? ': ' : separator);
}

export function peopleWords(count: number): string {
  return countOf(count, 'person', 'people');
}
