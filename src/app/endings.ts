/** The last log line when the program ends by itself. */
export const ENDINGS = {
  promise: 'A rejected promise was not handled',
  exception: 'An exception was not caught',
  unfinished: 'Some work did not finish before the stop',
  stop: 'Stopping failed',
  start: 'Quartermaster could not start',
} as const;

export function stuckSentence(loop: string): string {
  return `The ${loop} has made no turn for five minutes: Quartermaster ends, to be started again.`;
}
