import { commandText } from '../../core/slack/commands/command-text.ts';
import type { z } from 'zod';
import { readAction, changeAction } from '../../core/slack/interactions/click-actions.ts';
import type { Click, ClickAction, Interaction, ReadCommand } from '../../core/slack/interactions/interactions.ts';
import { helpMessage, plainMessage, sendRegularlyButtons } from '../../core/slack/blocks/messages.ts';
import { change, question, readVerb } from '../../core/slack/interactions/verbs.ts';
import { markup } from '../../core/base/text/markup.ts';
import {
  ACTIONS,
  beforeOf,
  diffValue,
  historyValue,
  memberValue,
  settingsValue,
  type HistoryPosition,
} from './core/controls-buttons.ts';
import { answerWithFile } from '../../core/slack/interactions/file-answer.ts';
import { withReadableMarks } from '../../core/platform/redaction/marks.ts';
import { acknowledge } from './notices/acknowledge.ts';
import { dayOf } from '../../core/base/time/calendar.ts';
import { eachInTurns } from '../../core/base/time/turns.ts';
import { withNamedUse } from './notices/named-use.ts';
import { revisionNotice } from './notices/revision-messages.ts';
import { readRevisionChanges } from './notices/revision-changes.ts';
import type { ControlsDeps } from './core/controls-deps.ts';
import { reachBackTo, reachRevision } from './poll/backfill.ts';
import { CONTROLS_HELP, parseControls, type By, type ControlsRequest } from './controls-command.ts';
import {
  comparableSettings,
  latestRevision,
  membersOf,
  listUnreadable,
  oldestStored,
  settingsOf,
  type RevisionOutline,
} from './core/revisions.ts';
import type { ClassifiedChange } from './diff/diff.ts';
import { isBelow } from './diff/paths.ts';
import { historyMessage, readHistoryPage } from './views/history-view.ts';
import { diffMessage, settingsMessage } from './views/revision-pages.ts';
import { controlsWatch } from './controls-watch.ts';

const READING = 'Reading the enterprise control history …';

const reading = (run: (by: Interaction) => Promise<void>) => (by: Interaction) => {
  by.reply.progress(READING);
  return run(by);
};

export function readControlsCommand(deps: ControlsDeps, words: readonly string[], now: Date): ReadCommand {
  const watch = controlsWatch(deps);
  return readVerb<ControlsRequest>(parseControls(words, now), {
    latest: () => question(reading((by) => showLatest(deps, by))),
    history: (request) => question(reading((by) => startHistory(deps, request, by))),
    show: ({ revision }) => question(reading((by) => showSettings(deps, revision, 0, by))),
    diff: ({ a, b }) => question(reading((by) => showDiff(deps, { a, b, page: 0 }, by))),
    watch: (request) => change(reading((by) => watch.watch(request, by))),
    unwatch: (request) => change(reading((by) => watch.unwatch(request, by))),
  });
}

const NOTHING_YET =
  'Quartermaster hasn’t read the enterprise controls yet. It does so within a minute of its start; try again then.';

async function showLatest(deps: ControlsDeps, { person, reply }: Interaction): Promise<void> {
  const latest = await latestRevision(deps.db);
  const revisionChanges = latest && (await readRevisionChanges(deps, latest.revision));
  if (!revisionChanges) return reply.show(plainMessage(NOTHING_YET));
  const buttons = sendRegularlyButtons(person, commandText`new weekdays controls`);
  const shown = await withNamedUse(deps, revisionChanges, 'answer');
  return reply.show(revisionNotice(shown, undefined, 'answer', { lines: [], buttons }).message);
}

async function startHistory(
  deps: ControlsDeps,
  { most, by, member, days }: Extract<ControlsRequest, { kind: 'history' }>,
  interaction: Interaction,
): Promise<void> {
  const email = by && (await emailOf(deps, by));
  if (by && email === undefined) {
    return interaction.reply.show(
      plainMessage(
        'Slack doesn’t show this person’s e-mail, so Quartermaster can’t find their revisions. Use their e-mail address instead.',
      ),
    );
  }
  return showHistory(deps, { most, email, member, days }, interaction);
}

async function emailOf({ people }: ControlsDeps, by: By): Promise<string | undefined> {
  return 'email' in by ? by.email : (await people.describe(by.slackId))?.email?.toLowerCase();
}

/** Reads older pages of the history if the stored revisions do not reach back far enough. */
async function showHistory(deps: ControlsDeps, position: HistoryPosition, { reply }: Interaction): Promise<void> {
  let page = await readHistoryPage(deps.db, position);
  const oldest = await oldestStored(deps.db);
  const { days } = position;
  const isReached = days !== undefined && oldest !== undefined && dayOf(new Date(oldest.changedAt)) < days.first;
  if (!page.hasMore && oldest && !isReached && page.rows.length < position.most) {
    reply.progress(READING);
    await reachBackTo(deps, oldest.revision - 100);
    page = await readHistoryPage(deps.db, position);
  }
  const changes = await readChanges(deps, page.rows, position.member);
  return reply.show(historyMessage(page, position, { changes, unreadable: await listUnreadable(deps.db) }));
}

/** Settings may be large, so other work runs between two comparisons. */
async function readChanges(deps: ControlsDeps, rows: readonly RevisionOutline[], member: string | undefined) {
  const changes = new Map<number, readonly ClassifiedChange[]>();
  const filter = { names: member === undefined ? [] : [member] };
  for await (const { revision, previous } of eachInTurns(rows)) {
    const read = previous === null ? undefined : await readRevisionChanges(deps, revision, filter);
    if (read?.isComparable) changes.set(revision, read.changes);
  }
  return changes;
}

async function showSettings(deps: ControlsDeps, revision: number, page: number, { reply }: Interaction): Promise<void> {
  const row = await reachRevision(deps, revision);
  return reply.show(row ? settingsMessage(row, page) : await noRevision(deps, revision));
}

async function showDiff(
  deps: ControlsDeps,
  { a, b, page }: z.infer<typeof diffValue>,
  { reply }: Interaction,
): Promise<void> {
  const [start, end] = [Math.min(a, b), Math.max(a, b)];
  const to = await reachRevision(deps, end);
  if (!to) return reply.show(await noRevision(deps, end));
  if (beforeOf(start) === null && to.members === null) {
    return reply.show(
      plainMessage(
        `Revision ${end} is the oldest one that Quartermaster knows, so there is nothing to compare it with.`,
      ),
    );
  }
  const from = beforeOf(start) === null ? undefined : await reachRevision(deps, start);
  if (beforeOf(start) !== null && !from) return reply.show(await noRevision(deps, start));
  const { before, after } = comparableSettings(from ?? { ...to, settings: '{}' }, to, deps.erased);
  const revision = from?.revision ?? null;
  return reply.show(diffMessage({ revision, settings: before }, { revision: to.revision, settings: after }, page));
}

async function noRevision({ db }: ControlsDeps, revision: number) {
  const latest = await latestRevision(db);
  const isUnreadable = (await listUnreadable(db)).includes(revision);
  const sentence = isUnreadable
    ? `The platform shows revision ${revision} without settings that Quartermaster understands, so its changes are unknown.`
    : `There is no revision ${revision} in the history.`;
  if (!latest) return plainMessage(sentence);
  return helpMessage(CONTROLS_HELP, {
    sentence: `${sentence} The latest one is ${latest.revision}.`,
    corrected: commandText`show ${latest.revision}`,
  });
}

async function showPrevious(
  deps: ControlsDeps,
  { revision, member }: z.infer<typeof memberValue>,
  { reply }: Interaction,
): Promise<void> {
  const row = await reachRevision(deps, revision);
  const path = row && membersOf(row)[member];
  if (path === undefined) return reply.show(await noRevision(deps, revision));
  const { rows } = await readHistoryPage(deps.db, { before: revision, most: 1, member: path });
  const [previousRow] = rows;
  const revisionChanges = previousRow && (await readRevisionChanges(deps, previousRow.revision));
  if (!revisionChanges) {
    const oldest = await oldestStored(deps.db);
    const sentence = markup`\`${path}\` didn’t change between revision ${oldest?.revision ?? revision}, the oldest one that Quartermaster knows, and ${revision}.`;
    return reply.show({ text: sentence });
  }
  const changes = revisionChanges.changes.toSorted((one, other) => rankOf(other, path) - rankOf(one, path));
  return reply.show(revisionNotice({ ...revisionChanges, changes }, undefined, 'answer').message);
}

/** Changes below the requested path come first. */
function rankOf({ change }: { change: { path: readonly string[] } }, path: string): number {
  const own = change.path.join('.');
  return isBelow(own, path) || isBelow(path, own) ? 1 : 0;
}

/** Sends the settings at a revision as a file, by direct message: the channel did not ask for it. */
async function sendJson(deps: ControlsDeps, revision: number, interaction: Interaction): Promise<void> {
  const row = await reachRevision(deps, revision);
  if (!row) return interaction.reply.add(plainMessage(`Revision ${revision} is no longer in the history.`));
  const { userName: name, userEmail: email, changedAt: updatedAt } = row;
  const content = { revision: row.revision, updatedAt, user: { name, email }, settings: settingsOf(row) };
  await answerWithFile(deps.files, interaction, {
    name: `enterprise-controls-${row.revision}.json`,
    title: `Enterprise controls, revision ${row.revision}`,
    content: withReadableMarks(JSON.stringify(content, null, 2)),
    comment: markup`The enterprise controls at revision ${row.revision}. Secrets are left out.`,
  });
}

const read = <Value>(schema: z.ZodType<Value>, { value }: Click): Value => schema.parse(JSON.parse(value));

/** Every button of the notices, the answers and App Home. A click reads all facts again. */
export function controlsActions(deps: ControlsDeps): ClickAction[] {
  return [
    readAction(ACTIONS.diff, 'manager', (click) => showDiff(deps, read(diffValue, click), click)),
    readAction(ACTIONS.settings, 'manager', (click) => {
      const { revision, page } = read(settingsValue, click);
      return showSettings(deps, revision, page, click);
    }),
    readAction(ACTIONS.previous, 'manager', (click) => showPrevious(deps, read(memberValue, click), click)),
    readAction(ACTIONS.history, 'manager', (click) => showHistory(deps, read(historyValue, click), click)),
    readAction(ACTIONS.json, 'manager', (click) => sendJson(deps, Number(click.value), click)),
    changeAction(ACTIONS.acknowledge, 'manager', (click) => acknowledge(deps, click)),
    controlsWatch(deps).action,
    controlsWatch(deps).testAction,
    ...controlsWatch(deps).pauseActions,
  ];
}
