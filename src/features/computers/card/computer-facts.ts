import { createHash } from 'node:crypto';
import { isPlatformError } from '../../../core/platform/errors.ts';
import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import type { ComputerDeps } from '../core/computers-deps.ts';
import { readyTimesMs } from '../core/orders.ts';
import { followedSinceMs, isAwaitingRetry, outcomeOf, speedOf } from '../core/pace.ts';
import { readyAfterMs, medianMs } from '../core/states.ts';
import type { ComputerOrder } from '../core/computer-tables.ts';
import type { CardContent } from './follow.ts';
import { cardMessage, type CardFacts } from './computer-card.ts';

/** @returns undefined if the platform could not be read */
export async function readFacts(deps: ComputerDeps, order: ComputerOrder): Promise<CardFacts | undefined> {
  const reading = await readComputer(deps, order.computerId ?? '');
  if (reading === 'unreadable') return undefined;
  const computer = reading === 'gone' ? undefined : reading;
  const now = deps.clock.now();
  const usual = medianMs(await readyTimesMs(deps.db));
  return {
    order,
    computer,
    outcome: outcomeOf(order, computer, now),
    tookMs: (computer && readyAfterMs(computer)) ?? now.getTime() - followedSinceMs(order),
    usualMs: usual,
    speed: speedOf(order, usual, now),
    isAwaitingRetry: computer !== undefined && isAwaitingRetry(order, computer, now),
  };
}

export async function readComputer(deps: ComputerDeps, id: string): Promise<Computer | 'gone' | 'unreadable'> {
  try {
    return await deps.platform.computers.get(id);
  } catch (error) {
    if (isPlatformError(error, 'not_found')) return 'gone';
    deps.log.warn({ err: error }, 'Reading a followed computer failed');
    return 'unreadable';
  }
}

export function writtenCard(facts: CardFacts) {
  const { computer, outcome, speed, tookMs, order } = facts;
  // Excludes the elapsed time, which alone would cause an edit at every poll.
  const visibleContent = JSON.stringify([cardMessage({ ...facts, tookMs: undefined }).blocks, outcome, speed]);
  const fingerprint = createHash('sha256').update(visibleContent).digest('hex');
  const isFirstTry = outcome === 'ready' && computer !== undefined && order.round === 0;
  const content: CardContent = {
    fingerprint,
    outcome: outcome ?? null,
    readyAfterMs: isFirstTry ? (tookMs ?? null) : null,
  };
  return { message: cardMessage(facts), fingerprint, memo: JSON.stringify(content) };
}
