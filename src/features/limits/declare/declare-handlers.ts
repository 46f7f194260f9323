import { readAmount } from '../../../core/base/text/amounts.ts';
import { readEmail } from '../../../core/base/text/email.ts';
import { formatCompact } from '../../../core/base/text/numbers.ts';
import { askForLimitPeriod } from '../../../core/figures/limit-period.ts';
import { sentenceView, type OpenModal } from '../../../core/slack/blocks/views.ts';
import { formHandler, errorsOf, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { audit } from '../../../core/store/audit.ts';
import { erasedSentence } from '../ask/validate-input.ts';
import { emailsOf } from '../core/ledger.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { peopleWords } from '../core/person-text.ts';
import { showsLimits } from '../../../core/platform/capabilities/capability.ts';
import { problemOf, readListFields, textOf, type ListSource } from '../import/list-fields.ts';
import { readList, type ReadList } from '../import/parse.ts';
import { DECLARE_FORM, DECLARE_TITLE, declareView, type TypedDeclaration } from './declare-form.ts';
import { declaredSummary, storeDeclaration, type Declaration } from './declared-limits.ts';

const MAX_NAMED_LINES = 5;

export async function showDeclareForm(deps: LimitDeps, opened: OpenModal): Promise<void> {
  await opened.show(declareView(await readSummary(deps)));
}

const readSummary = async ({ db, capabilities }: LimitDeps) => ({
  ...(await declaredSummary(db)),
  isShown: showsLimits(await capabilities.limits()),
});

export const declareForm = (deps: LimitDeps): Form =>
  formHandler(DECLARE_FORM, 'admin', (state) => {
    const typed = { forEverybody: state.text('forEverybody'), list: state.text('list') };
    const { source, isTwice } = readListFields(state);
    const errors = errorsOf([
      [typed.forEverybody === '' ? undefined : readAmount(typed.forEverybody).problem, 'forEverybody'],
      [isTwice, 'list', 'You typed a list and uploaded one. Keep one of them.'],
    ]);
    return freshFormReading(errors, 'Saving …', (by, opened) => declare(deps, typed, source, by, opened));
  });

async function declare(
  deps: LimitDeps,
  typed: TypedDeclaration,
  source: ListSource,
  { person }: Interaction<FreshPerson>,
  opened: OpenModal,
): Promise<void> {
  const reading = await readDeclaration(deps, source, readAmount(typed.forEverybody).amount);
  const summary = await readSummary(deps);
  if ('problem' in reading) return opened.show(declareView(summary, reading.problem, typed));
  const now = deps.clock.now();
  const by = person.slackId;
  await deps.db.transaction().execute(async (trx) => {
    await storeDeclaration(trx, reading, by, now);
    const detail = detailOf(reading, summary.forEverybody);
    await audit(trx, { about: 'limits:declared', actor: by, action: 'declared limits', detail }, now);
    await askForLimitPeriod(trx, deps, now);
  });
  const { forEverybody, people } = await declaredSummary(deps.db);
  const amount = forEverybody === undefined ? 'none' : formatCompact(forEverybody);
  const sentence = `✅ Declared for everybody: ${amount}. For single people: ${people === 0 ? 'none' : peopleWords(people)}. Nothing was sent to the platform.`;
  await opened.show(sentenceView(DECLARE_TITLE, sentence));
}

/** Names no person: the store has the values. */
function detailOf({ forEverybody, people, removed }: Declaration, before: number | undefined): string {
  return [
    `For everybody: ${before ?? 'none'} → ${forEverybody ?? 'none'}`,
    `${people.length} declared by e-mail`,
    `${removed.length} removed`,
  ].join('; ');
}

async function readDeclaration(
  deps: LimitDeps,
  source: ListSource,
  forEverybody: number | undefined,
): Promise<Declaration | { problem: string }> {
  if (source.kind === 'text' && source.text === '') return { forEverybody, people: [], removed: [] };
  const text = await textOf(deps, source);
  if ('problem' in text) return text;
  const { kept, removed } = withoutRemovals(text.content);
  const list = await readList(kept);
  if (list.count === 0 && removed.length > 0) return { forEverybody, people: [], removed };
  const problem = problemOf(list) ?? problemOfLines(list);
  if (problem !== undefined) return { problem };
  const erased = deps.people.erasedAmong(emailsOf(list.lines));
  if (erased.length > 0) return { problem: `${erasedSentence(erased)} Take them out of the list.` };
  return { forEverybody, people: list.lines, removed };
}

/** Removed lines become empty, so that the other lines keep their numbers. */
function withoutRemovals(text: string): { kept: string; removed: string[] } {
  const removed: string[] = [];
  const kept = text.split(/\r\n|\n|\r/).map((line) => {
    const [who = '', limit = '', ...rest] = line.split(/[,;\t]/);
    const email = rest.length === 0 && limit.trim().toLowerCase() === 'none' ? readEmail(who) : undefined;
    if (email === undefined) return line;
    removed.push(email);
    return '';
  });
  return { kept: kept.join('\n'), removed };
}

/** A list with a fault changes nothing, so that the same list can be sent again. */
function problemOfLines({ invalid, conflicting }: ReadList): string | undefined {
  const faults = [
    ...invalid.map(({ line, why }) => `line ${line}: ${why}`),
    ...conflicting.map((line) => `line ${line}: two different limits for one person`),
  ];
  if (faults.length === 0) return undefined;
  const rest = faults.length > MAX_NAMED_LINES ? ` and ${faults.length - MAX_NAMED_LINES} more` : '';
  return `Nothing was saved: ${faults.slice(0, MAX_NAMED_LINES).join('; ')}${rest}.`;
}
