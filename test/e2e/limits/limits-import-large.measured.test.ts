import { afterEach, describe, expect, test } from 'vitest';
import { plusDays } from '../../../src/core/base/time/calendar.ts';
import type { Checkpoint } from '../../../src/core/base/checkpoint.ts';
import { nextAnswer } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { emailsOf, sendList, uploadList } from '../../support/limits/limit-lists.ts';
import {
  cardOf,
  clickCard,
  ledger,
  openReview,
  peopleIn,
  putsOf,
  requestOf,
  reviewValues,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

describe.each(availableEngines())('5,000 lines on %s', (engine) => {
  test('are previewed in under three seconds, sent in 50 batches, and one button repeats the failed ones', async () => {
    let batch = 0;
    const checkpoint: Checkpoint = (name) => {
      if (name !== 'limits:before_put') return;
      batch += 1;
      const match = { method: 'PUT' };
      // The client tries five times before it gives up a call.
      if (batch === 17) scene.platform.faults.add({ match, kind: 'status', status: 500, times: 5 });
      if (batch === 30) scene.platform.faults.add({ match, kind: 'drop_after', times: 5 });
    };
    const settings = { LIMITS_CHANNEL: '#agent-usage' };
    scene = await startTestApp({ engine, platform: { people: 5_200 }, checkpoint, settings });
    const emails = emailsOf(scene, 5_000);
    // The usage is read from the store, as after any morning with a digest: generating it would take the simulator
    // seconds.
    for (let day = plusDays('2026-03-01', -32); day < '2026-03-01'; day = plusDays(day, 3)) {
      const since = scene.slack.mark();
      const text = `credits ${day}..${plusDays(day, 2)} @mia`;
      await scene.slack.control.command({ as: 'morgan', channel: 'general', command: '/usage', text });
      await nextAnswer(scene.slack, since, { timeoutMs: 20_000 });
    }
    const startedMs = performance.now();
    const preview = await uploadList(scene, emails.map((email, index) => `${email},${index}`).join('\n'));
    const previewMs = performance.now() - startedMs;
    expect(textOfView(preview)).toContain('*Ready: 5,000 limits*, approved together in one request.');
    expect(textOfView(preview)).not.toContain('could not be read');
    expect(previewMs).toBeLessThan(3_000);
    const id = await sendList(scene);
    await openReview(scene, 'ada', id);
    const result = textOfView(await submitForm(scene.slack, 'ada', reviewValues()));
    expect(result).toContain('*Approved by <@U0ADA>*, being set on the platform');
    await untilState(scene, id, 'outcome_unknown');
    expect(batch).toBe(50);
    await untilQuiet(scene);
    const card = await cardOf(scene, id);
    expect(card.text).toContain('*Unconfirmed for 200 people:*');
    expect(card.text).toContain(
      '*100 people*: *Unconfirmed.* The platform answered with an error of its own (status 500).',
    );
    expect(card.text).toContain('*100 people*: *Unconfirmed.* The connection to the platform broke.');
    const people = await peopleIn(scene, id);
    const unknown = people.filter(({ state }) => state === 'unknown');
    expect(new Set(unknown.map((person) => person.batch))).toEqual(new Set([16, 29]));
    expect(people.filter(({ state }) => state === 'set')).toHaveLength(4_800);
    expect(await ledger(scene)).toHaveLength(4_800);
    const before = putsOf(scene);
    await clickCard(scene, 'ada', id, 'limits_retry');
    await untilState(scene, id, 'applied');
    expect(putsOf(scene) - before).toBe(2);
    expect(scene.platform.limits.size).toBe(5_000);
    expect(emails.every((email, index) => scene.platform.limits.get(email.toLowerCase()) === index)).toBe(true);
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).text).toMatch(/✅ \*Set\* .*confirmed by the platform/);
    expect((await requestOf(scene, id)).round).toBe(1);
  }, 120_000);
});
