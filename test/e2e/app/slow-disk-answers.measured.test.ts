import { expect, test } from 'vitest';
import { nextAnswer } from '../../support/slack/conversation.ts';
import type { ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { setCrashScene } from '../../support/processes/crash-scene.ts';
import { makeSlowDisk } from './slow-disk.ts';

const MORNING = new Date('2026-03-02T09:00:05Z');
const SYNC_MS = 4_000;
const PATIENCE_MS = 90_000;
/** By then, a person has an answer, or reads why there is none yet. */
const MAX_SILENCE_MS = 10_000 + 2_000;

/** Each of them reads days that the store doesn't have, or shows people, groups or stored rows. */
const COMMANDS = [
  ['mia', '/usage', '7d'],
  ['mia', '/usage', 'me 28d'],
  ['mia', '/usage', 'models february'],
  ['mia', '/usage', '@web-team february'],
  ['morgan', '/usage', 'people 7d'],
  ['ada', '/usage', 'people february'],
  ['ada', '/usage', 'activity 28d'],
  ['ada', '/usage', 'february vs january'],
  ['mia', '/readiness', ''],
  ['mia', '/computers', 'list'],
  ['mia', '/limits', ''],
  ['morgan', '/controls', 'history'],
  ['morgan', '/digest', 'list'],
  ['morgan', '/digest', 'preview settings'],
  ['morgan', '/budget', 'list'],
  ['ada', '/quartermaster', ''],
] as const;

const FORMS = [
  ['morgan', '/digest', 'new'],
  ['morgan', '/budget', 'new'],
  ['mia', '/limits', 'request'],
] as const;

test('with a disk that takes four seconds for a write, each answer comes, or the reason why it takes longer', async () => {
  const disk = makeSlowDisk();
  const scene = await setCrashScene('sqlite', MORNING, disk.environment, { people: 50 });
  const { slack } = scene;
  const took: [what: string, firstMs: number, answerMs: number][] = [];
  try {
    const bot = await scene.startBot();
    disk.delayBy(SYNC_MS);
    for (const [as, command, text] of COMMANDS) {
      const since = slack.mark();
      const beganMs = performance.now();
      const first = slack.next(['ephemeral', 'message_updated'], ({ message }) => message.isEphemeral, {
        since,
        timeoutMs: PATIENCE_MS,
      });
      const firstMs = first.then(() => performance.now() - beganMs);
      await slack.control.command({ as, channel: 'general', command, text });
      await nextAnswer(slack, since, { timeoutMs: PATIENCE_MS });
      took.push([`${command} ${text}`, await firstMs, performance.now() - beganMs]);
    }
    for (const [as, command, text] of FORMS) {
      const since = slack.mark();
      const beganMs = performance.now();
      await slack.control.command({ as, channel: 'agent-usage', command, text });
      await nextView(slack, since);
      const tookMs = performance.now() - beganMs;
      took.push([`${command} ${text}`, tookMs, tookMs]);
      await slack.control.close({ as });
    }
    const beganMs = performance.now();
    const since = slack.mark();
    await slack.control.openHome({ as: 'ada' });
    const isReady = ({ view }: { view: ViewView }) => !textOfView(view).includes('One moment …');
    await slack.next('home_published', isReady, { since, timeoutMs: PATIENCE_MS });
    took.push(['App Home', performance.now() - beganMs, performance.now() - beganMs]);
    process.stdout.write(
      `${took.map(([what, firstMs, ms]) => `${what}: ${Math.round(firstMs)} ms, ${Math.round(ms)} ms`).join('\n')}\n`,
    );
    expect(took.filter(([, firstMs]) => firstMs > MAX_SILENCE_MS)).toEqual([]);
    disk.delayBy(0);
    await bot.stop();
  } finally {
    disk.delayBy(0);
    await scene.close();
    disk.remove();
  }
}, 600_000);
