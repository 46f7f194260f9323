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
import { readAmountRule } from '../core/amount-rule.ts';
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
  await showWithDeciders(deps, importView(), { person, people: [] }, opened);
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
  if ('problem' in text) return opened.show(importView(text.problem));
  await deps.capabilities.refreshLimits();
  const list = await readList(text.content, await readAmountRule(deps));
  const problem = problemOf(list);
  if (problem !== undefined) return opened.show(importView(problem));
  const emails = emailsOf(list.lines);
  const erased = deps.people.erasedAmong(emails);
  if (erased.length > 0) return opened.show(importView(`${erasedSentence(erased)} Take them out of the list.`));
  const [limitOf, open, inSlack] = await Promise.all([
    readLimitsOf(deps, emails),
    openElsewhere(deps.db, emails),
    deps.people.findByEmails(emails),
  ]);
  const preview = previewOf(list, limitOf, new Set(open.map(({ email }) => email)), inSlack);
  const evidence = evidenceOf(await used, requestedLinesOf(preview));
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
