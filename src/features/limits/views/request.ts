import type { BlockMessage, Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, longProse, messageOf, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import { type RoleDenial } from '../../../core/slack/blocks/messages.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { clip, markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { BOT_ACTOR, listAuditEntries, type AuditEntry } from '../../../core/store/audit.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { choiceButtons, questionButton, retryButton, reviewButton, withdrawButton } from '../core/limit-buttons.ts';
import { auditSubject } from '../core/ids.ts';
import type { KnownLimit, SetLimit } from '../../../core/figures/known-limit.ts';
import { type ExplainedEntry, ledgerOf, openElsewhere, readLimitsOf } from '../core/ledger.ts';
import type { LimitDatabase, LimitPerson } from '../core/limit-tables.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import {
  currentLimitWords,
  entryWords,
  personLine,
  peopleWords,
  requestedWords,
  shownWords,
  sourceOf,
} from '../core/person-text.ts';
import { peopleOf, peopleWithFaults } from '../core/requests.ts';
import { denialOf, isRequester, type Actor } from '../core/access.ts';
import { completeActor } from '../rights/four-eyes.ts';
import { askLine, stateLine, untilLine } from '../core/state-text.ts';
import { isWaiting } from '../core/states.ts';
import { approverLines, readCardApprovers } from '../approvers/card-approvers.ts';
import { mayReview } from '../approvers/second-approval.ts';
import { readVisible } from '../rights/visible-requests.ts';
import type { VisibleRequest } from '../core/visible.ts';

const MAX_PEOPLE = 25;
const MAX_ENTRIES = 20;
const MAX_DETAIL_LENGTH = 500;

/** `/limits show`: one request with its whole history. Undefined for an unknown id. */
export async function showMessage(deps: LimitDeps, id: string, person: Person): Promise<BlockMessage | undefined> {
  const visible = await readVisible(deps.db, id, person, rowsToShow);
  if (!visible) return undefined;
  const { request, people } = visible;
  const rest = request.people - people.length;
  const until = untilLine(visible);
  const head = [
    markup`*${askLine(visible)}*  \`${request.id}\``,
    stateLine(visible),
    ...(visible.extent === 'all' ? approverLines(await readCardApprovers(deps, request)) : []),
    ...people.map((one) => markup`•  ${personLine(one)}`),
    ...(rest > 0
      ? [markup`•  and ${peopleWords(rest)} more; \`/limits audit csv\` and the ledger have all of them`]
      : []),
    ...(until ? [until] : []),
    ...(request.reason === null ? [] : [markup`Why: ${request.reason}`]),
    ...(request.comment === null ? [] : [markup`Comment: ${request.comment}`]),
  ];
  // The history names all people, and its texts are about all of them.
  const history = visible.extent === 'all' ? historyLines(await listAuditEntries(deps.db, auditSubject(id))) : [];
  return messageOf(
    longProse(head),
    longProse(history),
    buttonRow(...buttonsOf(visible, await completeActor(deps, person))),
  );
}

/** If there are many people, only those with faults. */
async function rowsToShow(db: LimitDatabase, id: string): Promise<LimitPerson[]> {
  const people = await peopleOf(db, id, MAX_PEOPLE + 1);
  const faults = people.length > MAX_PEOPLE ? await peopleWithFaults(db, id, MAX_PEOPLE) : [];
  return faults.length > 0 ? faults : people.slice(0, MAX_PEOPLE);
}

function historyLines(entries: readonly AuditEntry[]): Markup[] {
  const visibleEntries = entries.slice(-MAX_ENTRIES);
  const hiddenCount = entries.length - visibleEntries.length;
  return [
    markup`*What happened*`,
    ...(hiddenCount > 0 ? [markup`_${countOf(hiddenCount, 'earlier step')} not shown_`] : []),
    ...visibleEntries.map(({ at, actor, action, detail }) => {
      const who = actor === BOT_ACTOR ? markup`Quartermaster` : mention(actor);
      return markup`•  ${readerTime(new Date(at))}  ${who}: ${action}${detail === null ? '' : `. ${clip(detail, MAX_DETAIL_LENGTH)}`}`;
    }),
  ];
}

function buttonsOf(visible: VisibleRequest, person: Actor): Button[] {
  const { request, involvement } = visible;
  const { id, state, undoneAt } = request;
  const isFaulty = undoneAt === null && (state === 'partly_applied' || state === 'outcome_unknown');
  return [
    ...(mayReview(visible, person) ? [reviewButton(id), questionButton(id)] : []),
    ...(isWaiting(request) && !denialOf({ action: 'withdraw', isRequester: isRequester(involvement) }, person)
      ? [withdrawButton(id)]
      : []),
    ...(state === 'unsure' && !denialOf({ action: 'resume', involvement }, person) ? choiceButtons(id) : []),
    ...(isFaulty && !denialOf({ action: 'resume', involvement }, person) ? [retryButton(id)] : []),
  ];
}

const MAX_LEDGER_ENTRIES = 20;

export async function personMessage(
  deps: LimitDeps,
  { email, name }: { email: string; name: Markup },
  { person, refusal }: Pick<Interaction, 'person' | 'refusal'>,
): Promise<BlockMessage> {
  const denial = denialOf({ action: 'see_ledger', isOwnLimit: email === person.email }, person);
  if (denial) return refusal(LEDGER_DENIED);
  const [entries, open, limit] = await Promise.all([
    ledgerOf(deps.db, email, MAX_LEDGER_ENTRIES),
    openElsewhere(deps.db, [email]),
    readLimitsOf(deps, [email]).then((known) => known(email)),
  ]);
  const lines = [
    markup`*${name}: ${currentLimitLine(limit, deps.clock.now())}`,
    ...open.map((one) => markup`Open: \`${one.requestId}\` by ${mention(one.requester)}, for ${requestedWords(one)}`),
    ...entries.map((entry) => entryLine(entry)),
  ];
  const isShown = limit.kind === 'shown' || limit.kind === 'unlimited' || limit.kind === 'unclear';
  const notes = isShown ? [] : [smallPrint(markup`Limits set elsewhere aren’t shown here.`)];
  return messageOf(longProse(lines), ...notes);
}

/** Ends the bold text that the name begins. */
function currentLimitLine(limit: KnownLimit, now: Date): Markup {
  switch (limit.kind) {
    case 'none':
      return markup`current limit unknown.* No limit was set for them here, and the platform doesn’t show limits.`;
    case 'declared':
      return markup`${formatAmount(limit.value)}* credits, declared by ${mention(limit.by)} ${readerTime(limit.at)}${limit.isForEverybody ? markup` for everybody` : markup``}, not set here`;
    case 'shown':
    case 'unlimited':
    case 'unclear': {
      const when = limit.isCurrent ? markup`as the platform shows` : markup`as the platform showed`;
      const clause = limit.kind === 'shown' ? raiseClause(limit, now) : markup``;
      return markup`${shownWords(limit)}*, ${when} ${readerTime(limit.at)}${clause}`;
    }
    case 'set':
      return markup`${formatAmount(limit.value)}* credits, confirmed by the platform ${readerTime(limit.at)}${raiseClause(limit, now)}`;
    default:
      return limit satisfies never;
  }
}

/** A raise whose end was not sent stays in effect. */
function raiseClause({ until, permanent }: Pick<SetLimit, 'until' | 'permanent'>, now: Date): Markup {
  if (until === undefined) return markup``;
  return until > now
    ? markup`. This is a raise until ${readerTime(until)}; then the limit is ${formatAmount(permanent)} again`
    : markup`. The raise should have ended ${readerTime(until)}, back at ${formatAmount(permanent)}, but that wasn’t set`;
}

const LEDGER_DENIED: RoleDenial = {
  what: 'What was set for others',
  role: 'manager',
  or: 'type /limits with your own e-mail for yours',
};

function entryLine(entry: ExplainedEntry): Markup {
  const { valueBefore, setAt, requestId } = entry;
  return markup`•  ${readerTime(new Date(setAt))}: ${currentLimitWords(valueBefore)} → *${entryWords(entry)}*, ${sourceOf(entry)} (\`${requestId}\`)`;
}
