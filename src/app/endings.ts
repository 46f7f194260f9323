/** The last log line when the program ends by itself. */
export const ENDINGS = {
  promise: 'A promise was rejected and nobody handled it',
  exception: 'Nobody caught an exception',
  unfinished: 'What was running did not finish in time',
  stop: 'Stopping failed',
  start: 'Quartermaster could not start',
} as const;

/** @example stuckSentence('outbox') // 'The outbox has made no turn for five minutes: …' */
export function stuckSentence(loop: string): string {
  return `The ${loop} has made no turn for five minutes: Quartermaster ends, to be started again.`;
}
