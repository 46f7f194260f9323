import { explanationActions, type Explained } from '../../../core/figures/explanation/explanation-actions.ts';
import { EXPLANATION_TITLE } from '../../../core/figures/explanation/explanation-modal.ts';
import type { ExplainedPart } from '../../../core/figures/explanation/explanation.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import { findSubscription } from '../../../core/schedule/subscriptions.ts';
import { sentenceView } from '../../../core/slack/blocks/views.ts';
import type { ClickAction } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { namesIn, readContents, readSettings, type ReadContents } from '../core/contents.ts';
import { mayRead } from '../core/digest-list.ts';
import { digestMessage, type StoredDigest } from '../core/digest-messages.ts';
import { readMemo } from '../core/digest-payload.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { personReader } from '../core/names.ts';
import { titleOf } from '../core/period-words.ts';
import { correctDigest } from '../deliver/correct.ts';
import { EXPLAIN_ACTION } from '../message/digest-message.ts';

const CHECK_ACTION = 'digest_check_now';
const GONE = 'This digest no longer exists. Type /usage for the figures.';
const FOR_MANAGERS = 'This digest is about a part of the organization, so only managers see how it was worked out.';

export const explainActions = (deps: DigestDeps): ClickAction[] =>
  explanationActions(deps, {
    role: 'member',
    explainAction: EXPLAIN_ACTION,
    checkAction: CHECK_ACTION,
    goneSentence: GONE,
    read: (key, { person }) => readPosted(deps, key, person),
    correct: ({ digest }) => correctDigest(deps, digest),
    changeWords: (before, after) => correctionWords(before.digest, after.digest),
  });

function correctionWords(before: StoredDigest, after: StoredDigest): Markup {
  const [was, is] = [readMemo(before.memo)?.readAt, readMemo(after.memo)?.readAt];
  const corrections = readMemo(after.memo)?.corrections ?? [];
  const isCorrected = was !== is && corrections.length > (readMemo(before.memo)?.corrections.length ?? 0);
  return isCorrected
    ? markup`The digest is corrected, with a note in its thread.`
    : markup`Differences of less than 0.5% don’t change the digest.`;
}

type PostedDigest = Explained & { digest: StoredDigest };

const refused = (sentence: string) => ({ refusal: sentenceView(EXPLANATION_TITLE, sentence) });

/** Reads a digest as the person may see it, whatever its channel may see. */
async function readPosted(
  deps: DigestDeps,
  key: string,
  person: Person,
): Promise<PostedDigest | ReturnType<typeof refused>> {
  const digest = await digestMessage.find(deps.db, key);
  const subscription = digest && (await findSubscription(deps.db, 'digest', digest.payload.subscriptionId));
  if (!digest || !subscription) return refused(GONE);
  const isOwn = isPersonAddress(digest.channel);
  if (isOwn && !mayRead(person, subscription)) return refused(GONE);
  const isForManagers = readSettings(subscription).audience.kind !== 'organization';
  if (!isOwn && isForManagers && !hasRole(person.role, 'manager')) return refused(FOR_MANAGERS);
  const { cadence, period } = digest.payload;
  const contents = await readContents(deps, subscription, digest.payload, personReader(person));
  if (contents.kind !== 'read') return refused(contents.sentence);
  return {
    digest,
    title: titleOf(cadence, period, deps.clock.now()),
    parts: partsOf(contents),
    periods: [period],
    withPeople: person.seesPeople || contents.audience !== undefined,
    names: namesIn(contents, subscription),
  };
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
