import type { SlackEvent } from '../../../slack/people/control-types.ts';

const RETRY_MS = 1_000;

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
  let timer: ReturnType<typeof setTimeout> | undefined;
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
      retry();
    });
  };
  const retry = () => {
    timer = setTimeout(() => {
      handlers.resume().then(open, () => {
        if (!isEnded) retry();
      });
    }, RETRY_MS);
  };

  open(since);
  return () => {
    isEnded = true;
    clearTimeout(timer);
    source?.close();
  };
}
