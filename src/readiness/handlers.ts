import type { Interaction } from '../feature.ts';
import { actions, button, type Block, type Button } from '../slack/blocks.ts';
import { didYouMean } from '../slack/command-words.ts';
import { runCommandButton } from '../slack/messages.ts';
import { passageMessage, sentence } from '../slack/passages.ts';
import { clip, countOf } from '../slack/text.ts';
import { buildDetail } from './detail.ts';
import { detailPassages, noMatchPassages } from './detail-view.ts';
import { buildOverview, matchRepository } from './overview.ts';
import { overviewPage } from './overview-view.ts';
import type { ReadinessParts } from './parts.ts';
import type { Reading, Readings } from './reading.ts';
import type { RepositoryReports } from './reports-fold.ts';
import { readRepository } from './repository.ts';

export const MORE_ACTION = 'readiness_more';
/** More names than this are not offered as buttons. */
const MOST_OFFERED = 10;

type HandlerParts = ReadinessParts & { readings: Readings };

/** `/readiness`: all repositories, the least ready first. */
export async function showOverview(
  { readings, clock }: HandlerParts,
  { filter, offset }: { filter: string; offset: number },
  { reply }: Interaction,
): Promise<void> {
  const reading = await readings.all(progressOf(reply));
  const overview = buildOverview(reading.repositories, filter, reading.readAt);
  const { title, passages, next } = overviewPage(overview, offset, clock.now());
  const words = filter === '' ? 'list' : `filter ${filter}`;
  const worst = overview.rows.slice(offset, offset + 1).map(({ reports }) => reports.repository);
  const buttons = [
    ...worst.map(({ label, key }) => runCommandButton(`Look at ${clip(label, 40)}`, '/readiness', key)),
    ...(next === undefined ? [] : [button({ text: 'More', actionId: MORE_ACTION, value: `${words} from:${next}` })]),
    ...(overview.all === 0 ? [] : [runCommandButton('CSV', '/readiness', `${words} csv`)]),
  ];
  await reply.show(passageMessage(title, passages, rowOf(buttons)));
}

/** `/readiness acme/web`: one repository. */
export async function showRepository(parts: HandlerParts, word: string, { reply }: Interaction): Promise<void> {
  const reading = await parts.readings.all(progressOf(reply));
  const match = matchRepository(reading.repositories, word, readRepository(word).key);
  if (match.kind === 'one') return reply.show(detailMessage(match.reports, reading));
  if (match.kind === 'several') return reply.show(severalMessage(word, match.labels));
  const byId = await readById(parts, word);
  if (byId) return reply.show(detailMessage(byId, reading));
  return reply.show(noMatchMessage(word, reading));
}

function detailMessage(reports: RepositoryReports, reading: Reading) {
  const detail = buildDetail(reports, reading.repositories);
  const title = `Readiness of ${detail.repository.label}`;
  const { url } = detail.repository;
  const buttons = [
    ...(url === undefined ? [] : [runCommandButton('Create a computer for it', '/computers', `create ${url}`)]),
    runCommandButton('All repositories', '/readiness', ''),
  ];
  return passageMessage(title, detailPassages(detail, reading.readAt), rowOf(buttons));
}

/** Reports do not show the platform's id of their repository, but it may be what somebody has. */
async function readById({ readings }: HandlerParts, word: string): Promise<RepositoryReports | undefined> {
  if (!/^[\w.-]{1,200}$/.test(word)) return undefined;
  const { repositories } = await readings.byId(word);
  return repositories.length === 1 ? repositories[0] : undefined;
}

function severalMessage(word: string, labels: readonly string[]) {
  const shown = labels.slice(0, MOST_OFFERED);
  const more = labels.length > shown.length ? ` Here are the first ${shown.length}.` : '';
  const text = `“${clip(word, 100)}” is in the names of ${countOf(labels.length, 'repository', 'repositories')}. Which one?${more}`;
  const buttons = shown.map((label) => runCommandButton(clip(label, 60), '/readiness', label));
  return passageMessage('Readiness', [sentence(text)], rowOf(buttons));
}

function noMatchMessage(word: string, { repositories }: Reading) {
  const labels = repositories.map(({ repository }) => repository.label);
  const names = labels.map((label) => label.split('/').at(-1) ?? label);
  const meant =
    didYouMean(
      word,
      labels.map((label) => label.toLowerCase()),
    ) ??
    didYouMean(
      word,
      names.map((name) => name.toLowerCase()),
    );
  const buttons = [
    ...(meant === undefined ? [] : [runCommandButton(`Run /readiness ${clip(meant, 50)}`, '/readiness', meant)]),
    runCommandButton('All repositories', '/readiness', ''),
  ];
  const passages = noMatchPassages(word, repositories.length);
  return passageMessage(
    'Readiness',
    [...passages, sentence(meant === undefined ? '' : `Did you mean ${meant}?`)],
    rowOf(buttons),
  );
}

function rowOf(buttons: readonly Button[]): Block[] {
  return buttons.length === 0 ? [] : [actions(...buttons)];
}

function progressOf(reply: Interaction['reply']): (reports: number) => void {
  reply.progress('Reading the reports …');
  return (reports) => reply.progress(`Reading: ${countOf(reports, 'report')} so far …`);
}
