import { MAX_CHECKED_DAYS } from '../../analytics/check-days.ts';
import { lengthOf } from '../../base/time/calendar.ts';
import { refusedCheck } from '../../figures/explanation/check-limit.ts';
import { checkedResources, checkWords } from '../../figures/explanation/check-words.ts';
import { EXPLANATION_TITLE, explanationModal } from '../../figures/explanation/explanation-modal.ts';
import type { ExplainedPart } from '../../figures/explanation/explanation.ts';
import { figureChanges, readExplanationMetadata, shownFigures } from '../../figures/explanation/shown-figures.ts';
import { todayOf } from '../../analytics/period.ts';
import { isPersonAddress } from '../../outbox/reader.ts';
import { findSubscription } from '../../schedule/subscriptions.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import { sentenceView, type OpenModal } from '../../slack/blocks/views.ts';
import { modalActions } from '../../slack/modal-actions.ts';
import type { Click, ClickAction } from '../../slack/interactions.ts';
import type { Person } from '../../slack/people/people.ts';
import { hasRole } from '../../base/roles.ts';
import { markup, type Markup } from '../../base/text/markup.ts';
import { namesIn, readContents, readSettings, type ReadContents } from '../core/contents.ts';
import { mayRead } from '../core/digest-list.ts';
import { digestMessage, type StoredDigest } from '../core/digest-messages.ts';
import { readMemo } from '../core/digest-payload.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { personReader } from '../core/names.ts';
import { titleOf } from '../coverage/period-words.ts';
import { correctDigest } from '../deliver/correct.ts';
import { EXPLAIN_ACTION } from '../message/digest-message.ts';

const CHECK_ACTION = 'digest_check_now';
const GONE = { refused: 'This digest no longer exists. Type /usage for the figures.' };
const FOR_MANAGERS = {
  refused: 'This digest is about a part of the organization, so only managers see how it was worked out.',
};

/** *How was this worked out?* and *Check now*: the clicker’s own rights decide what the modal shows. */
export const explainActions = (deps: DigestDeps): ClickAction[] =>
  modalActions(
    deps,
    { role: 'member', title: EXPLANATION_TITLE },
    { [EXPLAIN_ACTION]: explain, [CHECK_ACTION]: check },
  );

async function explain(deps: DigestDeps, { value, person }: Click, opened: OpenModal): Promise<void> {
  const posted = await readPosted(deps, value, person);
  if ('refused' in posted) return opened.show(sentenceView(EXPLANATION_TITLE, posted.refused));
  await showExplanation(deps, posted, opened);
}

async function check(deps: DigestDeps, { form, person }: Click, opened: OpenModal): Promise<void> {
  const shown = readExplanationMetadata(form.metadata);
  const before = shown ? await readPosted(deps, shown.about, person) : GONE;
  if (!shown || 'refused' in before) return opened.show(sentenceView(EXPLANATION_TITLE, GONE.refused));
  const refusal = await refusedCheck(deps, person.slackId);
  if (refusal !== undefined) return opened.show(sentenceView(EXPLANATION_TITLE, refusal));
  const { digest, contents } = before;
  const { period } = digest.payload;
  const readAt = await deps.checks.readAgain({
    period,
    resources: checkedResources(partsOf(contents), period),
    withPeople: person.seesPeople || contents.audience !== undefined,
  });
  await correctDigest(deps, digest);
  const after = await readPosted(deps, shown.about, person);
  if ('refused' in after) return opened.show(sentenceView(EXPLANATION_TITLE, after.refused));
  const parts = partsOf(after.contents);
  const changes = figureChanges(shown.figures, shownFigures(parts));
  const correction = changes.length === 0 ? [] : [correctionWords(digest, after.digest)];
  const result = [...checkWords({ changes, parts, periods: [period], readAt }, todayOf(deps)), ...correction];
  await showExplanation(deps, after, opened, result);
}

function correctionWords(before: StoredDigest, after: StoredDigest): Markup {
  const [was, is] = [readMemo(before.memo)?.readAt, readMemo(after.memo)?.readAt];
  const corrections = readMemo(after.memo)?.corrections ?? [];
  const isCorrected = was !== is && corrections.length > (readMemo(before.memo)?.corrections.length ?? 0);
  return isCorrected
    ? markup`The digest is corrected, with a note in its thread.`
    : markup`Differences of less than 0.5% don’t change the digest.`;
}

interface PostedDigest {
  digest: StoredDigest;
  subscription: Subscription;
  contents: ReadContents;
}

/** Reads a digest as the person may see it, whatever its channel may see. */
async function readPosted(deps: DigestDeps, key: string, person: Person): Promise<PostedDigest | { refused: string }> {
  const digest = await digestMessage.find(deps.db, key);
  const subscription = digest && (await findSubscription(deps.db, 'digest', digest.payload.subscriptionId));
  if (!digest || !subscription) return GONE;
  const isOwn = isPersonAddress(digest.channel);
  if (isOwn && !mayRead(person, subscription)) return GONE;
  const isForManagers = readSettings(subscription).audience.kind !== 'organization';
  if (!isOwn && isForManagers && !hasRole(person.role, 'manager')) return FOR_MANAGERS;
  const contents = await readContents(deps, subscription, digest.payload, personReader(person));
  return contents.kind === 'read' ? { digest, subscription, contents } : { refused: contents.sentence };
}

async function showExplanation(
  deps: DigestDeps,
  { digest, subscription, contents }: PostedDigest,
  opened: OpenModal,
  result: readonly Markup[] = [],
): Promise<void> {
  const { cadence, period } = digest.payload;
  const explanation = {
    title: titleOf(cadence, period, deps.clock.now()),
    parts: partsOf(contents),
    about: digest.key,
    checkAction: lengthOf(period) <= MAX_CHECKED_DAYS ? CHECK_ACTION : undefined,
    result,
    names: namesIn(contents, subscription),
  };
  await opened.show(await explanationModal(deps, explanation, todayOf(deps)));
}

/** A figure in several sections is explained once; two figures of one name get the titles of their sections. */
function partsOf({ sections }: ReadContents): ExplainedPart[] {
  const parts = new Map<string, ExplainedPart>();
  for (const { title, reading } of sections) {
    for (const part of reading.kind === 'unreadable' ? [] : (reading.explanation ?? [])) {
      const earlier = parts.get(part.label);
      const isSame = JSON.stringify([earlier?.value, earlier?.days]) === JSON.stringify([part.value, part.days]);
      if (!earlier) parts.set(part.label, part);
      else if (!isSame) parts.set(`${title}: ${part.label}`, { ...part, label: `${title}: ${part.label}` });
    }
  }
  return [...parts.values()];
}
