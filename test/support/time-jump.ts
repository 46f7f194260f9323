import { onTestFinished, vi } from 'vitest';

/** Lets a test stop the process for a while: its clock continues and is ahead afterwards, and nothing else happened. */
export function stoppable(): { sleep: (ms: number) => void } {
  const now = performance.now.bind(performance);
  let sleptMs = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + sleptMs);
  onTestFinished(() => spy.mockRestore());
  return { sleep: (ms) => void (sleptMs += ms) };
}
