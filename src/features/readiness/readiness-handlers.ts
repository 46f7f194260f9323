import { commandText, didYouMean } from '../../core/slack/commands/command-text.ts';
import type { Interaction } from '../../core/slack/interactions/interactions.ts';
import { button } from '../../core/slack/blocks/blocks.ts';
import { runCommandButton, runCommandButtons, sendRegularlyButtons } from '../../core/slack/blocks/messages.ts';
import { buttonRow, paragraphMessage, sentence } from '../../core/slack/blocks/paragraphs.ts';
import { clip } from '../../core/base/text/markup.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import { showButtons, type ShowRequest } from './readiness-buttons.ts';
import { buildDetail } from './reports/detail.ts';
import { detailParagraphs, noMatchParagraphs, restParagraphs } from './views/detail-view.ts';
import { buildOverview, matchRepository } from './reports/overview.ts';
import { overviewPage } from './views/overview-view.ts';
import type { ReadinessDeps } from './readiness-deps.ts';
import type { Reading, Readings } from './reports/reading.ts';
import type { RepositoryReports } from './reports/reports-fold.ts';
import { readRepository, type Repository } from './reports/repository.ts';

export const MORE_ACTION = 'readiness_more';
/** Further names are not offered as buttons. */
const MAX_OFFERED = 10;

interface HandlerDeps {
  readings: Readings;
  clock: Pick<ReadinessDeps['clock'], 'now'>;
}
type Answering = Pick<Interaction, 'reply'>;

/** `/readiness`: all repositories, least ready first. */
export async function showOverview(
  { readings, clock }: HandlerDeps,
  { filter, offset }: { filter: string; offset: number },
  { person, reply }: Answering & { person: Pick<Interaction['person'], 'role'> },
): Promise<void> {
  const reading = await readings.all(progressOf(reply));
  const overview = buildOverview(reading, filter);
  const { paragraphs, next } = overviewPage(overview, offset, clock.now());
  const worst = overview.rows.slice(offset, offset + 1).map(({ reports }) => reports.repository);
  const buttons = [
    ...worst.flatMap((repository) => showButtons(`Details of ${clip(repository.label, 40)}`, repository)),
    ...(next === undefined ? [] : moreButtons(filter, next)),
    ...(overview.all === 0
      ? []
      : runCommandButtons(
          'CSV',
          '/readiness',
          filter === '' ? commandText`list csv` : commandText`filter ${filter} csv`,
        )),
    ...(overview.all === 0 || filter !== '' ? [] : sendRegularlyButtons(person, commandText`new weekly readiness`)),
  ];
  await reply.show(paragraphMessage('Readiness', paragraphs, buttonRow(...buttons)));
}

const moreButtons = (filter: string, next: number) => {
  const words = filter === '' ? commandText`list from:${next}` : commandText`filter ${filter} from:${next}`;
  return words ? [button({ text: 'More', actionId: MORE_ACTION, value: words.text })] : [];
};

/** Shows a repository for a button, by its key. The rest is added below the existing answer. */
export async function showByKey(deps: HandlerDeps, { kind, key }: ShowRequest, { reply }: Answering): Promise<void> {
  const reading = await deps.readings.all(progressOf(reply));
  const reports = reading.repositories.find(({ repository }) => repository.key === key);
  if (!reports) return reply.show(noMatchMessage(key, reading));
  return kind === 'more' ? reply.add(restMessage(reports, reading)) : reply.show(detailMessage(reports, reading));
}

export async function showRepository(deps: HandlerDeps, word: string, { reply }: Answering): Promise<void> {
  const reading = await deps.readings.all(progressOf(reply));
  const match = matchRepository(reading.repositories, word, readRepository(word).key);
  if (match.kind === 'one') return reply.show(detailMessage(match.reports, reading));
  if (match.kind === 'several') return reply.show(severalMessage(word, match.repositories));
  const byId = await readById(deps, word);
  if (byId) return reply.show(detailMessage(byId, reading));
  return reply.show(noMatchMessage(word, reading));
}

function detailMessage(reports: RepositoryReports, reading: Reading) {
  const detail = buildDetail(reports, reading.repositories);
  const { repository } = detail;
  const buttons = [
    ...(repository.url === undefined
      ? []
      : runCommandButtons('Create a computer for it', '/computers', commandText`create ${repository.url}`)),
    ...showButtons('Details', repository, 'more'),
    runCommandButton('All repositories', '/readiness', commandText``),
  ];
  return paragraphMessage(
    `Readiness of ${repository.label}`,
    detailParagraphs(detail, reading.readAt),
    buttonRow(...buttons),
  );
}

function restMessage(reports: RepositoryReports, reading: Reading) {
  const detail = buildDetail(reports, reading.repositories);
  return paragraphMessage(`Details: Readiness of ${detail.repository.label}`, restParagraphs(detail, reading.readAt));
}

/** A user may have the platform’s repository id, which reports do not contain. */
async function readById({ readings }: HandlerDeps, word: string): Promise<RepositoryReports | undefined> {
  if (!/^[\w.-]{1,200}$/.test(word)) return undefined;
  const { repositories } = await readings.byId(word);
  return repositories.length === 1 ? repositories[0] : undefined;
}

function severalMessage(word: string, repositories: readonly Repository[]) {
  const offered = repositories.slice(0, MAX_OFFERED);
  const more = repositories.length > offered.length ? ` Here are the first ${offered.length}.` : '';
  const text = `“${clip(word, 100)}” matches ${countOf(repositories.length, 'repository', 'repositories')}. Which one?${more}`;
  const buttons = offered.flatMap((one) => showButtons(clip(one.label, 60), one));
  return paragraphMessage('Readiness', [sentence(text)], buttonRow(...buttons));
}

function noMatchMessage(word: string, { repositories }: Reading) {
  const suggestion = nearest(word, repositories);
  const buttons = [
    ...(suggestion === undefined ? [] : showButtons(`Details of ${clip(suggestion.label, 50)}`, suggestion)),
    runCommandButton('All repositories', '/readiness', commandText``),
  ];
  const paragraphs = noMatchParagraphs(word, repositories.length);
  return paragraphMessage(
    'Readiness',
    [...paragraphs, sentence(suggestion === undefined ? '' : `Did you mean ${clip(suggestion.label, 100)}?`)],
    buttonRow(...buttons),
  );
}

const labelOf = ({ label }: Repository) => label.toLowerCase();
const nameOf = (one: Repository) => labelOf(one).split('/').at(-1) ?? labelOf(one);

/** Returns the repository whose name, with or without its owner, is closest to the word. */
function nearest(word: string, repositories: Reading['repositories']): Repository | undefined {
  const all = repositories.map(({ repository }) => repository);
  for (const textOf of [labelOf, nameOf]) {
    const suggestion = didYouMean(word, all.map(textOf));
    if (suggestion !== undefined) return all.find((one) => textOf(one) === suggestion);
  }
  return undefined;
}

function progressOf(reply: Interaction['reply']): (reports: number) => void {
  reply.progress('Reading the reports …');
  return (reports) => reply.progress(`Reading … ${countOf(reports, 'report')} read`);
}
