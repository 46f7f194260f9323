import type { Clock } from '../base/time/clock.ts';
import type { RequiredRole } from '../base/roles.ts';
import { markup, mention, type Markup } from '../base/text/markup.ts';
import { button, type BlockMessage, type Button } from '../slack/blocks/blocks.ts';
import { plainMessage, type Refusal } from '../slack/blocks/messages.ts';
import { buttonRow, messageOf, prose } from '../slack/blocks/paragraphs.ts';
import type { Click, ClickAction } from '../slack/interactions/interactions.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { ChannelSubscription } from './channel-subscription-table.ts';

export type PauseChange = 'pause' | 'resume';

/** A subscription or a budget as it is stored. */
interface Pausable {
  state: 'active' | 'paused' | 'removed';
  /** Slack id; null: the settings, or Quartermaster. */
  changedBy: string | null;
}

/** What becomes of the messages that would have come during a pause, in a sentence. */
export interface PauseWords {
  pause: Markup;
  resume: Markup;
}

/** Events during a pause that are announced after it. */
export interface MissedEvents {
  /** The last event number. It stays the last one until the transaction ends. */
  lockPosition(trx: DatabaseTransaction): Promise<number | null>;
  /** Enqueues a message about the events after `since`, in the transaction that resumes the watch. */
  announce(trx: DatabaseTransaction, watch: ChannelSubscription, now: Date): Promise<void>;
}

export interface PauseSpec<Subject extends Pausable> {
  /** Begins the ids of its buttons: `budget`. */
  prefix: string;
  role: RequiredRole;
  words: PauseWords;
  find(click: PauseClick): Promise<{ subject: Subject } | { refusal: Refusal }>;
  nameOf(subject: Subject): Markup;
  /** A conditional update, with its audit. @returns `false` if another person was faster */
  change(
    trx: DatabaseTransaction,
    subject: Subject,
    by: { change: PauseChange; by: string },
    now: Date,
  ): Promise<boolean>;
}

type PauseClick = Pick<Click, 'value' | 'refusal' | 'refreshHome'> & {
  person: Pick<Click['person'], 'slackId' | 'role' | 'seesPeople'>;
  reply: Pick<Click['reply'], 'add'>;
};

const CHANGES = ['pause', 'resume'] as const;
const LABELS = { pause: 'Pause', resume: 'Resume' } as const;
const RESULTS = { pause: 'paused', resume: 'active' } as const;
const STATE_WORDS = { active: 'active', paused: 'paused', removed: 'off' } as const;

const actionIdOf = (prefix: string, change: PauseChange) => `${prefix}_${change}`;

/** *Pause*, or *Resume* if it is paused. */
export function pauseButton(prefix: string, { state }: Pick<Pausable, 'state'>, value?: string): Button {
  const change = state === 'paused' ? 'resume' : 'pause';
  const actionId = actionIdOf(prefix, change);
  return button({ text: LABELS[change], actionId, value });
}

/** The actions of both buttons. The answer to each has the other one. */
export function pauseActions<Subject extends Pausable>(deps: { db: Database; clock: Clock }, spec: PauseSpec<Subject>) {
  return CHANGES.map((change) => ({
    actionId: actionIdOf(spec.prefix, change),
    role: spec.role,
    isKept: true as const,
    run: (click: PauseClick) => changePause(deps, spec, change, click),
  })) satisfies ClickAction[];
}

async function changePause<Subject extends Pausable>(
  { db, clock }: { db: Database; clock: Clock },
  spec: PauseSpec<Subject>,
  change: PauseChange,
  click: PauseClick,
): Promise<void> {
  const by = click.person.slackId;
  const before = await spec.find(click);
  if ('refusal' in before) return click.reply.add(await click.refusal(before.refusal));
  const isDone = await db.transaction().execute((trx) => spec.change(trx, before.subject, { change, by }, clock.now()));
  const after = await spec.find(click);
  if ('refusal' in after) return click.reply.add(await click.refusal(after.refusal));
  await click.reply.add(outcomeMessage(spec, after.subject, { change, by, isDone }, click.value));
  if (isDone) await click.refreshHome();
}

function outcomeMessage<Subject extends Pausable>(
  spec: PauseSpec<Subject>,
  subject: Subject,
  { change, by, isDone }: { change: PauseChange; by: string; isDone: boolean },
  value: string,
): BlockMessage {
  const { state, changedBy } = subject;
  // A click that is resumed after a crash finds its own change.
  if (!isDone && !(state === RESULTS[change] && changedBy === by)) {
    const who = changedBy === null ? markup`Quartermaster` : mention(changedBy);
    return plainMessage(markup`Already ${STATE_WORDS[state]}: ${spec.nameOf(subject)}. ${who} changed it last.`);
  }
  const done = change === 'pause' ? markup`⏸️ Paused` : markup`✅ Resumed`;
  const sentence = markup`${done}: ${spec.nameOf(subject)}. ${spec.words[change]}`;
  return messageOf(prose(sentence), buttonRow(pauseButton(spec.prefix, subject, value)));
}
