import { withinTime } from '../../../core/base/time/turns.ts';
import { z } from 'zod';
import { formHandler, errorsOf, formReading } from '../../../core/slack/interactions/forms.ts';
import type { Form, Interaction } from '../../../core/slack/interactions/interactions.ts';
import { type OpenModal } from '../../../core/slack/blocks/views.ts';
import { markup } from '../../../core/base/text/markup.ts';
import { concernLines } from '../card/request-card.ts';
import { evidenceOf, namesInEvidence, readUse, type UseReading } from '../card/evidence.ts';
import { keepDraft } from '../ask/drafts.ts';
import { IMPORT_FORM, IMPORT_SEND_FORM, importView } from './import-form.ts';
import { problemOf, readListFields, textOf, type ListSource } from './list-fields.ts';
import { sendDraft, type Sending } from '../ask/request-limit-handlers.ts';
import { readList } from './parse.ts';
import { previewOf, previewView, type Preview } from './preview.ts';
import { emailsOf, openElsewhere, readLimitsOf } from '../core/ledger.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import { readLimitRule } from '../core/amount-rule.ts';
import { amountAfter, readLimitForEverybody } from '../core/own-limit-removal.ts';
import { beforeOf, erasedSentence } from '../ask/validate-input.ts';
import { showWithDeciders } from '../ask/show-deciders.ts';

const USE_WAIT_MS = 1_000;
const LATE: UseReading = {
  kind: 'unreadable',
  sentence: 'What they used lately could not be read in time. The reviewer will see it.',
};
/** The number that fits on a phone. */
const MAX_OUTLIERS = 10;

export async function showImportForm(deps: LimitDeps, { person }: Interaction, opened: OpenModal): Promise<void> {
  await deps.capabilities.refreshLimits();
  const { whyNoRemoval } = await readLimitRule(deps, person.role);
  const view = importView({ mayRemove: whyNoRemoval === undefined });
  await showWithDeciders(deps, view, { person, people: [] }, opened);
}

async function showPreview(
  deps: LimitDeps,
  source: ListSource,
  { person }: Interaction,
  opened: OpenModal,
): Promise<void> {
  // Started first, because it takes longest and depends on nothing below.
  const used: Promise<UseReading> = person.seesPeople ? readUseInTime(deps) : Promise.resolve({ kind: 'withheld' });
  used.catch(() => undefined);
  const text = await textOf(deps, source);
  await deps.capabilities.refreshLimits();
  const rule = await readLimitRule(deps, person.role);
  const showProblem = (problem: string) =>
    opened.show(importView({ problem, mayRemove: rule.whyNoRemoval === undefined }));
  if ('problem' in text) return showProblem(text.problem);
  const list = await readList(text.content, rule);
  const problem = problemOf(list);
  if (problem !== undefined) return showProblem(problem);
  const emails = emailsOf(list.lines);
  const erased = deps.people.erasedAmong(emails);
  if (erased.length > 0) return showProblem(`${erasedSentence(erased)} Take them out of the list.`);
  const [limitOf, open, inSlack] = await Promise.all([
    readLimitsOf(deps, emails),
    openElsewhere(deps.db, emails),
    deps.people.findByEmails(emails),
  ]);
  const preview = previewOf(list, limitOf, new Set(open.map(({ email }) => email)), inSlack);
  const everybody = await readLimitForEverybody(deps.db);
  const changes = requestedLinesOf(preview)
    .map(({ email, amount, removes }) => ({ email, amount: amountAfter({ amount, removes }, everybody) }))
    .filter(({ amount }) => Number.isFinite(amount));
  const evidence = evidenceOf(await used, changes);
  const draftId = await storeDraft(deps, preview, person.slackId, { limitOf, inSlack });
  const draft = draftId === undefined ? undefined : { id: draftId, canSimulate: person.seesPeople };
  const concerns =
    evidence.kind === 'unreadable' ? [markup`${evidence.sentence}`] : concernLines(evidence, MAX_OUTLIERS);
  await opened.show({ ...previewView(preview, draft, concerns), names: namesInEvidence(evidence) });
}

/** Waits a second at most, because the user is waiting for the form and the reviewer sees the use anyway. */
const readUseInTime = ({ days, clock }: LimitDeps): Promise<UseReading> =>
  withinTime(clock, USE_WAIT_MS, readUse(days, clock.now()), LATE);

const requestedLinesOf = ({ fresh, declared, changed }: Preview) =>
  [...fresh, ...declared, ...changed].toSorted((a, b) => a.line - b.line);

/** @returns the draft’s id, or undefined if there is nothing to request */
async function storeDraft(
  { db, clock }: LimitDeps,
  preview: Preview,
  owner: string,
  { limitOf, inSlack }: { limitOf: (email: string) => KnownLimit; inSlack: ReadonlyMap<string, string> | undefined },
): Promise<string | undefined> {
  const requestedLines = requestedLinesOf(preview);
  if (requestedLines.length === 0) return undefined;
  const people = requestedLines.map((line) => ({
    email: line.email,
    slackId: inSlack?.get(line.email),
    ...beforeOf(limitOf(line.email)),
    to: line.amount,
    ...(line.removes ? { removes: line.removes } : {}),
  }));
  return keepDraft(db, owner, { kind: 'import', reason: '', people }, clock.now());
}

export function importForms(deps: LimitDeps, sending: Sending): Form[] {
  return [
    formHandler(IMPORT_FORM, 'manager', (state) => {
      const { source, isEmpty, isTwice } = readListFields(state);
      const errors = errorsOf([
        [isEmpty, 'list', 'Paste a list, or upload one.'],
        [isTwice, 'list', 'You pasted a list and uploaded one. Keep one of them.'],
      ]);
      return formReading(errors, 'Reading the list …', (by, opened) => showPreview(deps, source, by, opened));
    }),
    formHandler(IMPORT_SEND_FORM, 'manager', (state, metadata) => {
      const reason = state.text('reason');
      if (reason === '')
        return { kind: 'errors', errors: { reason: 'Say why: it’s the first thing that admins read.' } };
      const draftId = z.string().max(100).parse(metadata);
      return formReading({}, 'Sending it …', (by, opened) => sendDraft(deps, sending, draftId, by, opened, { reason }));
    }),
  ];
}
