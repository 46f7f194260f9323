import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { VIEWS } from '../../../src/features/usage/usage-command.ts';
import { askForComputer } from '../../support/computers.ts';
import { change, noticesIn, repliesIn } from '../../support/controls.ts';
import { clickButton, typeCommand } from '../../support/slack/conversation.ts';
import { delivered, setUpDigest, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { untilQuiet } from '../../support/limits/limits.ts';
import { isControlsNotice, personalWords, publicText } from './personal-words.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

/** The channel without chosen names, and the channel with chosen names. */
const PLAIN = 'agent-usage';
const CHOSEN = 'platform';
/** A value that appears in no other figure. */
const LIMIT = 123_456;

const SECTIONS = ['summary', 'credits', 'tools', 'activity', 'productivity', 'readiness', 'controls', 'limits'];

async function share(scene: TestApp, as: string, text: string, label: RegExp, channel: string): Promise<MessageView> {
  const answer = await typeCommand(scene.slack, as, '/usage', text, channel);
  const buttons = answer.blocks.flatMap((block) => (Array.isArray(block['elements']) ? block['elements'] : []));
  const found = buttons.find((one) => one.type === 'button' && label.test(one.text.text));
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, answer, String(found?.text.text), channel);
  const isShared = ({ message }: { message: MessageView }) => JSON.stringify(message.blocks).includes('Shared by');
  return (await scene.slack.next('message', isShared, { since })).message;
}

/** Every view, shared by a manager and by a member, and its file in the thread. */
async function shareEverything(scene: TestApp): Promise<void> {
  const nameless = VIEWS.filter((view) => view !== 'people' && view !== 'teams');
  for (const view of nameless) {
    const shared = await share(scene, 'morgan', `${view} 7d`, /^Share( without names)?$/, PLAIN);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', shared, 'CSV', PLAIN);
    await scene.slack.next('message', ({ message }) => message.files.length > 0, { since });
    // Its answer says where the file was posted; the next answer comes after it.
    await scene.slack.next('ephemeral', ({ message }) => message.text.includes('is in the thread'), { since });
    await share(scene, 'mia', `${view} 7d`, /^Share( without names)?$/, PLAIN);
  }
  await share(scene, 'morgan', '7d @web-team', /^Share( without names)?$/, PLAIN);
  for (const text of ['summary 7d', 'moved 7d', 'people 7d', 'teams 7d', '7d @web-team', '7d @mia'])
    await share(scene, 'morgan', text, /^Share( with names)?$/, CHOSEN);
}

/**
 * A digest of the organization and one of a team, of all sections without names; sections with names go to the channel
 * that chose them.
 */
async function digestEverything(scene: TestApp): Promise<void> {
  const daily = { where: 'channel', rhythm: 'daily', zone: 'UTC' } as const;
  const all = await setUpDigest(scene, { ...daily, channel: 'C0USAGE', sections: SECTIONS });
  const team = await setUpDigest(scene, { ...daily, channel: 'C0USAGE', sections: SECTIONS, audience: 'S0WEB' });
  const named = await setUpDigest(scene, { ...daily, channel: 'C0PLATFORM', sections: ['people'] });
  for (const { id } of [all, team, named]) {
    await typeCommand(scene.slack, 'morgan', '/digest', `now ${id}`);
    await delivered(scene, `digest:${id}:`);
  }
  await untilQuiet(scene);
}

/** The notices of the controls and of readiness, and the card of a computer. */
async function noticeEverything(scene: TestApp): Promise<void> {
  await noticesIn(scene, 1, PLAIN);
  // More than its message shows, so that the rest is in the thread.
  const settings = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`setting${index}`, index]));
  await change(scene, settings, 'mia.member@acme.example');
  await noticesIn(scene, 2, PLAIN);
  await repliesIn(scene, 1, PLAIN);
  await askForComputer(scene, { follow: ['follow'] }, 'mia', PLAIN);
  await delivered(scene, ':card');
  await typeCommand(scene.slack, 'morgan', '/readiness', `watch #${PLAIN}`);
  await moveClock(scene, new Date('2026-06-20T07:00:00Z'));
  await until(scene, (db) =>
    db
      .selectFrom('deliveries')
      .select('key')
      .where('kind', '=', 'readiness-notice')
      .where('state', '=', 'sent')
      .executeTakeFirst(),
  );
}

/**
 * Limit cards are left out: they name people by their purpose, and an operator who sets LIMITS_CHANNEL chooses that
 * channel for them. Likewise the author of a revision: the admin who sets up a watch of the controls chooses that it
 * names each author, by name, never by e-mail.
 */
test('no post in a channel contains an e-mail, a name or a limit of a person, unless names were chosen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record({ seed: fc.nat(10_000), people: fc.integer({ min: 8, max: 40 }) }), async (size) => {
      // Figures of the two people of the team are posted too: this test looks for names.
      const settings = { CONTROLS_CHANNEL: `#${PLAIN}`, CONTROLS_POLL_SECONDS: '5', MIN_GROUP: '1' };
      const scene = await startTestApp({ platform: size, settings });
      try {
        const at = '2026-03-01T10:00:00.000Z';
        await setLimit(scene, { email: 'max.member@acme.example', value: LIMIT, at });
        await shareEverything(scene);
        await digestEverything(scene);
        await noticeEverything(scene);

        const words = personalWords(scene.slack, size);
        const said = publicText(scene.slack, PLAIN, (message) => !isControlsNotice(message));
        expect(said).toContain('credit limit was set');
        expect(words.filter((word) => said.includes(word))).toEqual([]);
        expect(said).not.toMatch(/@[\w.-]+\.example/);
        expect(said).not.toContain('123,456');
        expect(said).not.toContain(String(LIMIT));

        const notices = publicText(scene.slack, PLAIN, isControlsNotice);
        expect(notices).toContain('changed the enterprise controls');
        expect(notices).not.toMatch(/@[\w.-]+\.example/);

        const chosen = publicText(scene.slack, CHOSEN, () => true);
        expect(chosen).toContain('mia chen');
      } finally {
        await scene.close();
      }
    }),
    // Each takes seconds: a smaller organization that fails as well would show nothing more.
    { numRuns: 2, endOnFailure: true },
  );
}, 120_000);
