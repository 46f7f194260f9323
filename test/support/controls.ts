import type { MessageView } from '../../src/sandbox/slack/people/control-types.ts';
import { type ControlsCursor, tablesIn } from '../../src/features/controls/core/revisions.ts';
import { until } from './digests.ts';
import { letTimePass, moveClock } from './scene-clock.ts';
import { eventually } from './waiting.ts';
import { everythingIn } from './slack/conversation.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

/** Starts a bot that watches the controls in a channel, and waits until it has begun. */
export async function startWatching(options: TestAppOptions = {}): Promise<TestApp> {
  const settings = { CONTROLS_CHANNEL: '#agent-usage', CONTROLS_POLL_SECONDS: '5', ...options.settings };
  const scene = await startTestApp({ ...options, settings, platform: { oldestRevision: 1, ...options.platform } });
  await noticesIn(scene, 1, 'agent-usage');
  return scene;
}

/**
 * The store's state of the history's reading, once a test's condition holds and the reading has ended. A clock that is
 * moved within a reading postpones the next one instead of making it due.
 */
export function cursorThat(scene: TestApp, fits: (cursor: ControlsCursor) => boolean): Promise<ControlsCursor> {
  return until(scene, async (db) => {
    const cursor = await tablesIn(db).selectFrom('controlsCursor').selectAll().executeTakeFirst();
    return cursor?.leasedBy === null && fits(cursor) ? cursor : undefined;
  });
}

export function keyOfMessage({ metadata }: MessageView): string {
  const key = metadata?.event_payload['key'];
  return typeof key === 'string' ? key : '';
}

/** The messages about the controls in a channel, without those in threads; the first one is the introduction. */
export async function noticesIn(scene: TestApp, atLeast: number, channel = 'agent-usage'): Promise<MessageView[]> {
  const wanted = { what: 'messages about the controls', atLeast, channel };
  return messagesAmong(scene, wanted, ({ threadTs, ts }) => threadTs === null || threadTs === ts);
}

/** The messages in the threads of notices. */
export async function repliesIn(scene: TestApp, atLeast: number, channel = 'agent-usage'): Promise<MessageView[]> {
  const wanted = { what: 'replies in threads about the controls', atLeast, channel };
  return messagesAmong(scene, wanted, ({ threadTs, ts }) => threadTs !== null && threadTs !== ts);
}

async function postedIn(scene: Pick<TestApp, 'slack'>, channel: string): Promise<MessageView[]> {
  const { channels } = await scene.slack.control.state({ as: 'ada' });
  const messages = channels.find(({ name }) => name === channel)?.messages ?? [];
  return messages.filter((message) => keyOfMessage(message).startsWith('controls'));
}

/** Waits for at least this number of messages among those of the controls in a channel. */
async function messagesAmong(
  scene: TestApp,
  { what, atLeast, channel }: { what: string; atLeast: number; channel: string },
  fits: (message: MessageView) => boolean,
): Promise<MessageView[]> {
  const found = async () => (await postedIn(scene, channel)).filter(fits);
  return eventually(
    async () => {
      const messages = await found();
      return messages.length >= atLeast ? messages : undefined;
    },
    async () => `${atLeast} ${what} in #${channel}}, of which there are ${(await found()).length}`,
    () => letTimePass(scene),
  );
}

/** Moves the clock far enough for another reading of the history. */
export function nextPoll(scene: TestApp): Promise<void> {
  return moveClock(scene, new Date(scene.clock.now().getTime() + 6_000));
}

/** Changes settings on the platform, and lets the bot see it. */
export async function change(scene: TestApp, settings: Record<string, unknown>, email?: string): Promise<number> {
  const { revision } = scene.platform.addRevision({ settings, email });
  await nextPoll(scene);
  return revision;
}

export const allOf = (messages: readonly MessageView[]) => messages.map((message) => everythingIn(message)).join('\n');
