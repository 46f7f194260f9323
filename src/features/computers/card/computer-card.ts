import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import { context, section, type BlockMessage } from '../../../core/slack/blocks/blocks.ts';
import {
  buttonRow,
  codeLines,
  headline,
  note,
  NOTHING,
  paragraphMessage,
  sentence,
  type Paragraph,
} from '../../../core/slack/blocks/paragraphs.ts';
import {
  clip,
  joinMarkup,
  plainLines,
  markup,
  mention,
  readerTime,
  utcTime,
  type Markup,
} from '../../../core/base/text/markup.ts';
import { detailsButtons, retryButton } from '../core/computer-buttons.ts';
import type { ComputerOrder, Outcome } from '../core/computer-tables.ts';
import { followedSinceMs } from '../core/pace.ts';
import { durationWords, errorWords, progressWords, statusWords, stepLine, stepName } from '../core/text.ts';
import { progressOf } from '../core/states.ts';

/** Further steps are not shown on the card. */
const MAX_STEPS = 20;

export interface CardFacts {
  order: ComputerOrder;
  /** Undefined if the platform no longer knows it. */
  computer: Computer | undefined;
  outcome: Outcome | undefined;
  /** The time until it was ready. */
  tookMs: number | undefined;
  usualMs: number | undefined;
  speed: 'unknown' | 'usual' | 'slow';
  isAwaitingRetry: boolean;
}

export function cardMessage(facts: CardFacts): BlockMessage {
  const { computer, outcome, order } = facts;
  const buttons = computer ? buttonsOf(computer, outcome) : [];
  const paragraphs = computer ? paragraphsOf(facts, computer) : [GONE];
  const title = `Computer ${clip(order.name, 100)}`;
  return paragraphMessage(title, [...paragraphs, requesterParagraph(facts)], buttonRow(...buttons));
}

const buttonsOf = ({ id, name }: Computer, outcome: Outcome | undefined) => [
  ...(outcome === 'failed' ? [retryButton(id, name)] : []),
  ...detailsButtons(id),
];

const GONE = headline('The platform no longer knows this computer', 'Quartermaster no longer follows it.');

function paragraphsOf(facts: CardFacts, computer: Computer): Paragraph[] {
  const steps = stepsParagraph(computer);
  switch (facts.outcome) {
    case 'ready':
      return [headline(readyWords(facts)), connectParagraph(computer)];
    case 'failed':
      return [failedHeadline(computer), steps];
    case 'ended':
      return [
        headline('⚠️ Not ready after two hours', progressWords(computer)),
        steps,
        sentence('This card is no longer kept up to date. “Details” shows how it is now.'),
      ];
    case 'gone':
      return [GONE];
    case undefined:
      return [underWayHeadline(facts, computer), steps, sentence(speedWords(facts))];
    default:
      return facts.outcome satisfies never;
  }
}

/** Each step has its own mark, so the lines have no bullets. */
function stepsParagraph({ provisioningSteps }: Computer): Paragraph {
  const lines = provisioningSteps.slice(0, MAX_STEPS).map(stepLine);
  if (lines.length === 0) return NOTHING;
  return { blocks: [section(plainLines(...lines))], lines: [`Steps: ${lines.join('; ')}.`] };
}

function readyWords({ tookMs, usualMs, order }: CardFacts): string {
  if (order.round > 0) return '✅ Ready, after its installation was retried';
  if (tookMs === undefined) return '✅ Ready';
  return `✅ Ready after ${durationWords(tookMs)}${usualMs === undefined ? '' : ` (usually ${durationWords(usualMs)})`}`;
}

function underWayHeadline({ isAwaitingRetry }: CardFacts, computer: Computer): Paragraph {
  if (isAwaitingRetry) return headline('⏳ The installation was restarted', progressWords(computer));
  const { running } = progressOf(computer.provisioningSteps);
  const now = running ? stepName(running) : `Its status is “${statusWords(computer)}”`;
  return headline(`⏳ ${now} …`, progressWords(computer));
}

function failedHeadline(computer: Computer): Paragraph {
  const { failed } = progressOf(computer.provisioningSteps);
  if (!failed) return headline(`❌ The platform says “${computer.status ?? 'unknown'}”`, progressWords(computer));
  const title = joinMarkup([markup`❌ *${stepName(failed)} failed*`, markup`${progressWords(computer)}`], '\n');
  const words = `❌ ${stepName(failed)} failed: ${errorWords(failed)}`;
  return {
    blocks: [section(title), section(markup`\`${errorWords(failed)}\``)],
    lines: [`${words}.`, progressWords(computer)],
  };
}

function speedWords({ speed, usualMs }: CardFacts): string {
  if (speed === 'unknown' || usualMs === undefined) return '';
  const usual = `usually ready after ${durationWords(usualMs)}`;
  return speed === 'slow' ? `Slower than usual: ${usual}.` : `Computers here are ${usual}.`;
}

function connectParagraph({ hostname, remoteUser, relayClientUrl, id }: Computer): Paragraph {
  return codeLines([
    ['Host name', hostname],
    ['Remote user', remoteUser],
    ['Client relay', relayClientUrl],
    ['Id', id],
  ]);
}

/** Shows the requester and the time, in the reader’s zone and not as an age, so that the text stays true. */
function requesterParagraph({ order, computer }: CardFacts): Paragraph {
  const since = new Date(followedSinceMs(order));
  const verb = order.round > 0 ? 'retried' : 'requested';
  const kind = computer ? `${clip(computer.providerType, 40)} · user ${clip(order.remoteUser, 63)} ·` : '';
  const text: Markup = markup`${kind} ${verb} by ${mention(order.person)} ${readerTime(since)}`;
  return { blocks: [context(text)], lines: [`${kind} ${verb} ${utcTime(since)}`.trim()] };
}

export function doneMessage(order: ComputerOrder, outcome: Outcome, computer: Computer | undefined): BlockMessage {
  const title = `Computer ${clip(order.name, 100)}`;
  if (!computer || outcome === 'gone') return paragraphMessage(title, [GONE]);
  const below = buttonRow(...buttonsOf(computer, outcome));
  if (outcome === 'ready') {
    return paragraphMessage(title, [headline('✅ Your computer is ready'), connectParagraph(computer)], below);
  }
  if (outcome === 'failed') return paragraphMessage(title, [failedHeadline(computer)], below);
  const unfinished = [
    headline('⚠️ Not ready after two hours', progressWords(computer)),
    note('Quartermaster no longer follows it.'),
  ];
  return paragraphMessage(title, unfinished, below);
}
