import { BUSY } from '../../src/core/slack/inbound/background.ts';
import type { SandboxSlack } from '../../src/sandbox/slack/index.ts';

const TIMEOUT_MS = 120_000;

/** A line about a reading that is in progress, which is no answer. */
const PROGRESS = /^Reading.{0,80}…$/;

export interface Answers {
  total(): number;
  /** The number of answers that say to try again in a minute. */
  refused(): number;
  /** Resolves after this number of answers; rejects when none came for two minutes. */
  reach(count: number): Promise<void>;
  stop(): void;
}

/** Counts the answers that users see from now on. */
export function countAnswers(slack: SandboxSlack): Answers {
  let total = 0;
  let refused = 0;
  const waiting = new Set<() => void>();
  const stop = slack.events.listen((event) => {
    if (event.kind !== 'ephemeral' || PROGRESS.test(event.message.text)) return;
    total += 1;
    if (event.message.text === BUSY) refused += 1;
    for (const look of waiting) look();
  });
  return {
    total: () => total,
    refused: () => refused,
    reach: (count) =>
      new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const look = () => {
          clearTimeout(timer);
          timer = setTimeout(() => reject(new Error(`${total} of ${count} answers`)), TIMEOUT_MS);
          if (total < count) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    stop,
  };
}
