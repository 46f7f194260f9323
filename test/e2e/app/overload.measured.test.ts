import { afterEach, expect, test } from 'vitest';
import { BUSY } from '../../../src/core/slack/inbound/background.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const PEOPLE = ['ada', 'morgan', 'mia', 'max', 'nora'];
const COMMANDS_EACH = 135;

/** The answers that users see, without progress messages. */
async function answersTo(person: string): Promise<string[]> {
  const { channels } = await scene.slack.control.state({ as: person });
  const messages = channels.find(({ name }) => name === 'general')?.messages ?? [];
  return messages
    .filter(({ isEphemeral }) => isEphemeral)
    .map(({ text }) => text)
    .filter((text) => !/^Reading.{0,80}…$/.test(text));
}

test('commands far above capacity are acknowledged in time, and each is answered or refused with “busy”', async () => {
  scene = await startTestApp();
  scene.platform.faults.add({ kind: 'slow', delayMs: 800 });
  const sent = PEOPLE.flatMap((as) =>
    Array.from({ length: COMMANDS_EACH }, () =>
      scene.slack.control.command({ as, channel: 'general', command: '/usage', text: 'me' }),
    ),
  );
  const acknowledged = await Promise.all(sent);
  expect(acknowledged.filter(({ inTime }) => !inTime)).toEqual([]);
  const counts = async () => Promise.all(PEOPLE.map(async (person) => (await answersTo(person)).length));
  await expect.poll(counts, { timeout: 60_000, interval: 500 }).toEqual(PEOPLE.map(() => COMMANDS_EACH));
  const answers = await Promise.all(PEOPLE.map((person) => answersTo(person)));
  expect(answers.flat().filter((text) => text === BUSY).length).toBeGreaterThan(0);
  for (const own of answers) {
    // The last user gets a share, too.
    expect(own.filter((text) => text !== BUSY).length).toBeGreaterThan(4);
  }
  const metrics = await (await fetch(`http://127.0.0.1:${scene.app.metricsPort}/metrics`)).text();
  expect(metrics).toContain('quartermaster_interactions{state="waiting"} 0');
}, 90_000);
