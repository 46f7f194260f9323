import { dayOf, formatDate } from '../../../core/base/time/calendar.ts';
import type { Column } from '../../../core/base/text/columns.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import { section, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import { runCommandButton, runCommandButtons } from '../../../core/slack/blocks/messages.ts';
import {
  buttonRow,
  codeLines,
  headline,
  paragraphMessage,
  sentence,
  table,
  type Paragraph,
  noteAt,
} from '../../../core/slack/blocks/paragraphs.ts';
import { clip, markup, utcTime } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { retryButton } from '../core/computer-buttons.ts';
import { ageWords, errorWords, progressWords, statusWords, stepName, stepDurationWords } from '../core/text.ts';
import { hasFailed, instantOf, phaseOf, progressOf, type Step } from '../core/states.ts';

/** Further names are not offered as buttons. */
const MAX_OFFERED = 10;
const MAX_STEPS = 50;

export function showMessage(computer: Computer, mayRetry: boolean, readAt: Date): BlockMessage {
  const paragraphs = [
    headline(pointOf(computer), computer.provisioningSteps.length === 0 ? '' : progressWords(computer)),
    ...failureParagraphs(computer),
    factsParagraph(computer, readAt),
    stepsTable(computer),
    noteAt('Read', readAt),
  ];
  const buttons = [
    ...(mayRetry ? [retryButton(computer.id, computer.name)] : []),
    ...runCommandButtons('Refresh', '/computers', commandText`show ${computer.id}`),
    runCommandButton('All computers', '/computers', commandText``),
  ];
  return paragraphMessage(`Computer ${clip(computer.name, 100)}`, paragraphs, buttonRow(...buttons));
}

function pointOf(computer: Computer): string {
  const { failed, running } = progressOf(computer.provisioningSteps);
  if (failed) return `❌ ${stepName(failed)} failed`;
  if (phaseOf(computer) === 'ready') return '✅ Ready';
  return running ? `⏳ ${stepName(running)} …` : `Its status is “${clip(statusWords(computer), 60)}”`;
}

function failureParagraphs({ provisioningSteps }: Computer): Paragraph[] {
  return provisioningSteps.filter(hasFailed).map((step) => ({
    blocks: [section(markup`\`${errorWords(step)}\``)],
    lines: [`${stepName(step)}: ${errorWords(step)}`],
  }));
}

/** Relay addresses are text, because nothing in Slack can open them. */
function factsParagraph(computer: Computer, now: Date): Paragraph {
  const created = instantOf(computer.createdAt);
  return codeLines([
    ['Status', statusWords(computer)],
    ['Host name', computer.hostname],
    ['Remote user', computer.remoteUser],
    ['Provider', clip(computer.providerType, 40)],
    ['Id', computer.id],
    ['Host id', computer.hostId],
    ['Created', created && `${ageWords(computer, now)} ago (${formatDate(dayOf(created), dayOf(now))})`],
    ['Client relay', computer.relayClientUrl],
    ['Agent relay', computer.relayAgentUrl],
  ]);
}

function stepsTable({ provisioningSteps }: Computer): Paragraph {
  if (provisioningSteps.length === 0) return sentence('The platform shows no steps for it.');
  const visibleSteps = provisioningSteps.slice(0, MAX_STEPS);
  // On a phone, an empty column wastes space.
  const columns = STEP_COLUMNS.filter(
    ({ isAlways, cell }) => isAlways || visibleSteps.some((step) => cell(step) !== ''),
  );
  return table({
    caption: 'Steps',
    columns: columns.map(({ title, cell }) => ({ title, cell: (step: Step) => cell(step) || '–' })),
    rows: visibleSteps,
    pageSize: 15,
  });
}

const STEP_COLUMNS: readonly (Column<Step, string> & { isAlways: boolean })[] = [
  { title: 'Step', isAlways: true, cell: stepName },
  { title: 'Status', isAlways: true, cell: ({ status }) => clip(status ?? '', 40) },
  { title: 'Took', isAlways: true, cell: stepDurationWords },
  { title: 'Began', isAlways: true, cell: (step) => timeWords(step.startedAt) },
  { title: 'Ended', isAlways: false, cell: (step) => timeWords(step.completedAt) },
  { title: 'Session', isAlways: false, cell: ({ installSessionId }) => clip(installSessionId ?? '', 100) },
  { title: 'Error', isAlways: false, cell: (step) => errorWords(step, 150) },
];

function timeWords(value: number | null | undefined): string {
  const instant = instantOf(value);
  return instant ? utcTime(instant) : '';
}

export function severalMessage(word: string, verb: Verb, computers: readonly Computer[], now: Date): BlockMessage {
  const offered = computers.slice(0, MAX_OFFERED);
  const more = computers.length > offered.length ? ` Here are the newest ${offered.length}.` : '';
  const text = `“${clip(word, 60)}” fits ${countOf(computers.length, 'computer')}. Which one?${more}`;
  const buttons = offered.flatMap((computer) => {
    const label = `${clip(computer.name, 40)}, ${ageWords(computer, now)} old`;
    return runCommandButtons(label, '/computers', textOf(verb, computer.id));
  });
  return paragraphMessage('Computers', [sentence(text)], buttonRow(...buttons));
}

type Verb = 'show' | 'retry';

const textOf = (verb: Verb, word: string) => (verb === 'show' ? commandText`show ${word}` : commandText`retry ${word}`);

export function noneMessage(word: string, verb: Verb, meant: string | undefined): BlockMessage {
  const text = `No computer matches “${clip(word, 60)}”. ${meant === undefined ? '' : `Did you mean ${meant}?`}`.trim();
  const buttons = [
    ...(meant === undefined
      ? []
      : runCommandButtons(`Run /computers ${verb} ${clip(meant, 40)}`, '/computers', textOf(verb, meant))),
    runCommandButton('All computers', '/computers', commandText``),
  ];
  return paragraphMessage('Computers', [sentence(text)], buttonRow(...buttons));
}
