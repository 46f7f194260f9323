import type { SlackEvent } from '../../../slack/people/control-types.ts';
import { aSecond, untilAnswered } from './until-answered.ts';

export interface StreamHandlers {
  onEvent: (event: SlackEvent) => void;
  /** Called when the stream is lost. Then `resume` is retried until it returns the next position. */
  onLost: () => void;
  /** Reads the state again and returns the `seq` that it includes. */
  resume: () => Promise<number>;
}

/**
 * Follows the events of the workspace. After a break it does not use the browser's own reconnect, which would skip events that
 * a restarted sandbox no longer has: the state is read again, and the stream continues from there.
 *
 * @returns a function that ends it
 */
export function followEvents(as: string, since: number, handlers: StreamHandlers): () => void {
  let source: EventSource | null = null;
  let isEnded = false;

  const open = (from: number) => {
    if (isEnded) return;
    source = new EventSource(`/control/events?as=${encodeURIComponent(as)}&since=${from}`);
    source.addEventListener('message', (message: MessageEvent<string>) => {
      const happened: SlackEvent = JSON.parse(message.data);
      handlers.onEvent(happened);
    });
    source.addEventListener('error', () => {
      source?.close();
      if (isEnded) return;
      handlers.onLost();
      void resume();
    });
  };
  /** Waits first: a sandbox that answers and breaks each stream must not be asked without a pause. */
  const resume = async () => {
    await aSecond();
    const from = await untilAnswered(async () => (isEnded ? null : handlers.resume()));
    if (from !== null) open(from);
  };

  open(since);
  return () => {
    isEnded = true;
    source?.close();
  };
}
