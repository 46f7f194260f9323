import { afterEach, describe, expect, test } from 'vitest';
import { plusDays } from '../../src/calendar.ts';
import type { LimitStep } from '../../src/limits/core/deps.ts';
import { availableEngines } from '../support/databases.ts';
import { typeCommand } from '../support/conversation.ts';
import { delivered } from '../support/digests.ts';
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
} from '../support/limits.ts';
import { openByCommand, submitForm, textOfView } from '../support/modals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ ...options, settings: { LIMITS_CHANNEL: '#agent-usage', ...options.settings } }));
afterEach(() => scene.close());

/** Some people of the platform have no e-mail; and the only admin decides nothing that is also about her. */
const emailsOf = (count: number) =>
  scene.platform.organization.people
    .flatMap(({ email }) => email ?? [])
    .filter((email) => email.toLowerCase() !== 'ada.admin@acme.example')
    .slice(0, count);

const paste = async (list: string, as = 'morgan') => {
  await openByCommand(scene.slack, as, '/limits', 'import');
  return submitForm(scene.slack, as, { list: { list } });
};

async function uploadList(content: string | Buffer, name = 'limits.csv') {
  await openByCommand(scene.slack, 'morgan', '/limits', 'import');
  const contentBase64 = Buffer.from(content).toString('base64');
  const file = await scene.slack.control.upload({ as: 'morgan', name, contentBase64 });
  return submitForm(scene.slack, 'morgan', { file: { file: [file.id] } });
}

async function send(reason = 'New seats'): Promise<string> {
  const sent = textOfView(await submitForm(scene.slack, 'morgan', { reason: { reason } }));
  const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
  await delivered(scene, `limit-card:${id}:`);
  return id;
}

describe('a list that is imported', () => {
  test('is told by line numbers before anything is asked, held against the ledger', async () => {
    await start();
    await paste('email,limit\nmia.member@acme.example,700\nmax.member@acme.example,5');
    const first = await send();
    await openReview(scene, 'ada', first);
    await submitForm(scene.slack, 'ada', reviewValues('approve'));
    const preview = textOfView(
      await paste(
        'mia.member@acme.example,700\nmax.member@acme.example,9\nnora.member@acme.example,1\nnora.member@acme.example,1\nnew@acme.example,2\nnobody\nx@y.example,1\nx@y.example,2',
      ),
    );
    expect(preview).toContain('*3 limits can be asked for.* One request, one approval, 1 batch.');
    expect(preview).toContain('*2* new to this bot: lines 3, 5');
    expect(preview).toContain('*1* changed: line 2');
    expect(preview).toContain('*1* the same as this bot set last, left out: line 1');
    expect(preview).toContain('*1* repeated, left out: line 4');
    expect(preview).toContain('*2* named with different limits, all left out: lines 7–8');
    expect(preview).toContain('*1* invalid, left out: line 6');
    expect(preview).toContain('*1* not in Slack; check the spelling: line 5');
    expect(preview).toContain('max.member@acme.example: 5 → 9');
    expect(putsOf(scene)).toBe(1);
    const id = await send();
    expect((await peopleIn(scene, id)).map(({ email, to_value: to }) => [email, to])).toEqual([
      ['max.member@acme.example', 9],
      ['nora.member@acme.example', 1],
      ['new@acme.example', 2],
    ]);
  });

  test('is for managers, is neither empty nor too long nor something else, and is sent once', async () => {
    await start();
    expect(textOfView(await openByCommand(scene.slack, 'mia', '/limits', 'import'))).toContain(
      'Only managers and admins of Quartermaster import limits',
    );
    expect(textOfView(await uploadList(Buffer.from([0x50, 0x4b, 0, 0, 1])))).toContain('This file is not text');
    const long = Array.from({ length: 5_001 }, (_, index) => `p${index}@acme.example,1`).join('\n');
    expect(textOfView(await uploadList(long))).toContain('This list has 5,001 lines; at most 5,000 go into one.');
    expect(textOfView(await paste('nobody'))).toContain('Nothing is left to ask for.');
  });

  test('has its exceptions typed by the reviewer, since there are no fields for so many', async () => {
    await start({ platform: { people: 60 } });
    const emails = emailsOf(40);
    await paste(emails.map((email) => `${email},900`).join('\n'));
    const id = await send();
    await openReview(scene, 'ada', id);
    const { modals } = await scene.slack.control.submit({
      as: 'ada',
      values: reviewValues('approve', { exceptions: 'nobody' }),
    });
    expect(modals[0]?.errors).toEqual({ exceptions: '“nobody” is not an e-mail.' });
    await submitForm(scene.slack, 'ada', reviewValues('approve', { exceptions: `${emails[3]}\n${emails[30]},50` }));
    await untilState(scene, id, 'applied');
    expect(scene.platform.limits.size).toBe(39);
    expect(scene.platform.limits.get(emails[30]?.toLowerCase() ?? '')).toBe(50);
  });
});

describe.each(availableEngines())('5,000 lines on %s', (engine) => {
  test('are previewed in under three seconds, sent in 50 batches, and one button finishes what failed', async () => {
    let batch = 0;
    const observeLimits = (step: LimitStep) => {
      if (step !== 'before_put') return;
      batch += 1;
      const match = { method: 'PUT' };
      // The client tries five times before it gives a call up.
      if (batch === 17) scene.platform.faults.add({ match, kind: 'status', status: 500, times: 5 });
      if (batch === 30) scene.platform.faults.add({ match, kind: 'drop_after', times: 5 });
    };
    await start({ engine, platform: { people: 5_200 }, observeLimits });
    const emails = emailsOf(5_000);
    // What they used is read from the store, as after any morning with a digest: making it up would take the simulator seconds.
    for (let day = plusDays('2026-03-01', -32); day < '2026-03-01'; day = plusDays(day, 3))
      await typeCommand(scene.slack, 'morgan', '/usage', `credits ${day}..${plusDays(day, 2)} @mia`);
    const startedMs = performance.now();
    const preview = await uploadList(emails.map((email, index) => `${email},${index}`).join('\n'));
    const previewMs = performance.now() - startedMs;
    expect(textOfView(preview)).toContain('*5,000 limits can be asked for.* One request, one approval, 50 batches.');
    expect(textOfView(preview)).not.toContain('could not be read');
    expect(previewMs).toBeLessThan(3_000);
    const id = await send();
    await openReview(scene, 'ada', id);
    const result = textOfView(await submitForm(scene.slack, 'ada', reviewValues('approve')));
    expect(result).toContain('*Approved by <@U0ADA>*; it is being set on the platform');
    await untilState(scene, id, 'outcome_unknown');
    expect(batch).toBe(50);
    await untilQuiet(scene);
    const card = await cardOf(scene, id);
    expect(card.text).toContain('It is not known of 200 people whether the platform set it.');
    expect(card.text).toContain(
      '*100 people*: *Not known whether it was set.* The platform answered with an error of its own (status 500).',
    );
    expect(card.text).toContain('*100 people*: *Not known whether it was set.* The connection to the platform broke.');
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
    expect((await cardOf(scene, id)).text).toContain('*Set.* The platform confirmed it');
    expect((await requestOf(scene, id)).round).toBe(1);
  }, 60_000);
});
