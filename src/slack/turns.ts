/** What was acknowledged is worked on when nothing more has arrived for so long… */
const CALM_MS = 10;
/** …but at the latest after so long: somebody waits for the answer. */
const LONGEST_HOLD_MS = 200;

/**
 * Lets acknowledgements go before work. Work holds the event loop for a millisecond now and then (a write that is confirmed
 * by the disk, a big answer), and fifty commands that arrive together would wait for the work on each other. So it begins
 * when no more come, one piece after another, and between two pieces whatever has arrived is acknowledged. In real time: a
 * connection knows no other.
 *
 * @returns resolves when the caller may begin
 * @example
 * const turn = createTurns();
 * await ack();
 * void turn().then(work);
 */
export function createTurns(): () => Promise<void> {
  const waiting: { begin: () => void; sinceMs: number }[] = [];
  let arrivedMs = 0;
  let isLooking = false;
  const look = () => {
    const [first] = waiting;
    isLooking = first !== undefined;
    if (!first) return;
    const nowMs = performance.now();
    if (nowMs - arrivedMs < CALM_MS && nowMs - first.sinceMs < LONGEST_HOLD_MS) {
      setTimeout(look, CALM_MS);
      return;
    }
    waiting.shift();
    first.begin();
    setImmediate(look);
  };
  return () =>
    new Promise((resolve) => {
      arrivedMs = performance.now();
      waiting.push({ begin: resolve, sinceMs: arrivedMs });
      if (!isLooking) setTimeout(look, CALM_MS);
      isLooking = true;
    });
}
