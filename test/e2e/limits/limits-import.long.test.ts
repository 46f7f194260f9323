import { afterEach, describe, expect, test } from 'vitest';
import { openReview, peopleIn, putsOf, reviewValues, untilState } from '../../support/limits/limits.ts';
import { emailsOf, sendList, uploadList } from '../../support/limits/limit-lists.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ ...options, settings: { LIMITS_CHANNEL: '#agent-usage', ...options.settings } }));
afterEach(() => scene.close());

const paste = async (list: string, as = 'morgan') => {
  await openByCommand(scene.slack, as, '/limits', 'import');
  return submitForm(scene.slack, as, { list: { list } });
};

describe('an imported list', () => {
  test('has its faults reported by line number before the request, and is compared with the ledger', async () => {
    await start();
    await paste('email,limit\nmia.member@acme.example,700\nmax.member@acme.example,5');
    const first = await sendList(scene);
    await openReview(scene, 'ada', first);
    await submitForm(scene.slack, 'ada', reviewValues());
    const preview = textOfView(
      await paste(
        'mia.member@acme.example,700\nmax.member@acme.example,9\nnora.member@acme.example,1\nnora.member@acme.example,1\nnew@acme.example,2\nnobody\nx@y.example,1\nx@y.example,2',
      ),
    );
    expect(preview).toContain('*Ready: 3 limits*, approved together in one request.');
    expect(preview).toContain('*2* without a limit that is known here: lines 3, 5');
    expect(preview).toContain('*1* changed: line 2');
    expect(preview).toContain('*1* the same as the last limit set here, skipped: line 1');
    expect(preview).toContain('*1* repeated, skipped: line 4');
    expect(preview).toContain('*2* with different limits for one person, all skipped: lines 7–8');
    expect(preview).toContain('*1* invalid, skipped: line 6');
    expect(preview.indexOf('invalid')).toBeLessThan(preview.indexOf('without a limit that is known here'));
    expect(preview).toContain('*1* not in Slack; check the spelling: line 5');
    expect(preview).toContain('max.member@acme.example: 5 → 9');
    expect(putsOf(scene)).toBe(1);
    const id = await sendList(scene);
    expect((await peopleIn(scene, id)).map(({ email, toValue: to }) => [email, to])).toEqual([
      ['max.member@acme.example', 9],
      ['nora.member@acme.example', 1],
      ['new@acme.example', 2],
    ]);
  });

  test('is for managers, must be a list of valid size, and is sent once', async () => {
    await start();
    expect(textOfView(await openByCommand(scene.slack, 'mia', '/limits', 'import'))).toContain(
      onlyFor('manager', '/limits import'),
    );
    expect(textOfView(await uploadList(scene, Buffer.from([0x50, 0x4b, 0, 0, 1])))).toContain('This file is not text');
    const long = Array.from({ length: 5_001 }, (_, index) => `p${index}@acme.example,1`).join('\n');
    expect(textOfView(await uploadList(scene, long))).toContain(
      'This list has 5,001 lines; at most 5,000 go into one.',
    );
    expect(textOfView(await paste('nobody'))).toContain('Nothing to request.');
  });

  test('lets the reviewer type exceptions, since a form cannot have that many fields', async () => {
    await start({ platform: { people: 60 } });
    const emails = emailsOf(scene, 40);
    await paste(emails.map((email) => `${email},900`).join('\n'));
    const id = await sendList(scene);
    await openReview(scene, 'ada', id);
    const { modals } = await scene.slack.control.submit({
      as: 'ada',
      values: reviewValues({ exceptions: 'nobody' }),
    });
    expect(modals[0]?.errors).toEqual({ exceptions: '“nobody” is not an e-mail.' });
    await submitForm(scene.slack, 'ada', reviewValues({ exceptions: `${emails[3]}\n${emails[30]},50` }));
    await untilState(scene, id, 'applied');
    expect(scene.platform.limits.size).toBe(39);
    expect(scene.platform.limits.get(emails[30]?.toLowerCase() ?? '')).toBe(50);
  });
});
