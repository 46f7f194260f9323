import type { Contestant } from './contestants.ts';
import { median, percentile } from './statistics.ts';

/** How long the answers to one round may take. */
const ANSWER_TIMEOUT_MS = 60_000;

export interface Measured {
  p50Ms: number;
  p99Ms: number;
}

export interface Comparison {
  bot: Measured;
  bare: Measured;
}

/** One round: that many commands at once; waits until all of them are answered, so that nothing of it reaches into the next. */
async function measureRound({ slack, answers }: Contestant, commands: number): Promise<Measured> {
  const since = slack.mark();
  const answered = answers ? untilAnswered(slack, since, commands) : Promise.resolve();
  const deliveries = await Promise.all(
    Array.from({ length: commands }, () =>
      slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text: '' }),
    ),
  );
  await answered;
  const acknowledgedMs = deliveries.map(({ ackMs, error }) => {
    if (ackMs === null) throw new Error(`A command was not acknowledged: ${error}`);
    return ackMs;
  });
  return { p50Ms: percentile(acknowledgedMs, 0.5), p99Ms: percentile(acknowledgedMs, 0.99) };
}

async function untilAnswered(slack: Contestant['slack'], since: number, commands: number): Promise<void> {
  let from = since;
  for (let count = 0; count < commands; count += 1) {
    const event = await slack.next('ephemeral', ({ message }) => message.text.startsWith('Usage'), {
      since: from,
      timeoutMs: ANSWER_TIMEOUT_MS,
    });
    from = event.seq;
  }
}

/**
 * Measures both side by side, in turns, so that whatever else the machine does falls on both alike.
 *
 * @returns the medians over the rounds
 */
export async function compare(
  contestants: { bot: Contestant; bare: Contestant },
  { rounds, warmUpRounds, commands }: { rounds: number; warmUpRounds: number; commands: number },
): Promise<Comparison> {
  const measured: { bot: Measured[]; bare: Measured[] } = { bot: [], bare: [] };
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const order = round % 2 === 0 ? (['bot', 'bare'] as const) : (['bare', 'bot'] as const);
    for (const name of order) {
      const result = await measureRound(contestants[name], commands);
      if (round >= warmUpRounds) measured[name].push(result);
    }
  }
  return { bot: medianOf(measured.bot), bare: medianOf(measured.bare) };
}

function medianOf(rounds: readonly Measured[]): Measured {
  return { p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)), p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)) };
}
