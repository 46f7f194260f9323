import { z } from 'zod';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { delivered, formValues, messagesIn, setUpDigest, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ at: new Date('2026-03-11T12:00:00Z') });
});
afterEach(() => scene.close());

const MIA = 'mia.member@acme.example';
const rowsSchema = z.object({
  data: z.array(z.object({ user_email: z.string().nullable(), date: z.string(), primary_model: z.string() })),
  meta: z.object({ next_cursor: z.string().nullish() }),
});

/** The main model of everybody’s last day through a day, read from the platform itself. */
async function lastModels(last: string): Promise<ReadonlyMap<string, string>> {
  const days = new Map<string, { date: string; model: string }>();
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ startDate: '2026-02-11', endDate: last, limit: '100' });
    if (cursor !== undefined) query.set('cursor', cursor);
    const headers = { authorization: `Bearer ${scene.platform.apiKeys.manager}` };
    const answer = await fetch(`${scene.platform.baseUrl}/api/v1/analytics/users?${query.toString()}`, { headers });
    const { data, meta } = rowsSchema.parse(await answer.json());
    for (const { user_email: email, date, primary_model: model } of data) {
      if (email === null || date <= (days.get(email)?.date ?? '')) continue;
      days.set(email, { date, model });
    }
    cursor = meta.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return new Map([...days].map(([email, { model }]) => [email, model]));
}

const retire = async (model: string, day: string, successor = 'atlas-next') => {
  await openByCommand(scene.slack, 'ada', '/usage', 'retire new');
  return textOfView(await submitForm(scene.slack, 'ada', formValues({ model, day, successor })));
};
const textsTo = async (as: string) =>
  (await messagesIn(scene, 'dm', as)).posts.map(({ text }) => text).filter((text) => text.includes('retires'));
const toldIn = (step: number) =>
  until(scene, async (db) => {
    const table = db.withTables<{ retiringModels: { toldStep: number | null } }>().selectFrom('retiringModels');
    return (await table.selectAll().executeTakeFirst())?.toldStep === step ? true : undefined;
  });

describe('a model that retires', () => {
  test('is told to those whose main model it is at 30, 7 and 0 days, each once, in their morning', async () => {
    const model = (await lastModels('2026-03-10')).get(MIA) ?? '';
    expect(await retire(model, '2026-04-08')).toContain(`✅ Saved: ${model} retires on 8 Apr.`);
    await moveClock(scene, new Date('2026-03-11T13:30:00Z'));
    await delivered(scene, `model-retires:${model}:2026-04-08:30:U0MIA`);
    const [first] = await textsTo('mia');
    expect(first).toContain(`\`${model}\` retires in 28 days, on 8 Apr. Its successor is \`atlas-next\`.`);
    expect(first).toContain('Only you see this.');
    const models = await lastModels('2026-03-10');
    const others = ['max', 'nora', 'ada'].filter((as) =>
      [...models].some(([email, one]) => email.startsWith(`${as}.`) && one !== model),
    );
    for (const as of others) expect(await textsTo(as)).toEqual([]);
    await moveClock(scene, new Date('2026-03-11T15:30:00Z'));
    expect(await textsTo('mia')).toHaveLength(1);
    await moveClock(scene, new Date('2026-04-01T14:30:00Z'));
    await toldIn(7);
    const stillIsMain = (await lastModels('2026-03-31')).get(MIA) === model;
    if (stillIsMain) await delivered(scene, `model-retires:${model}:2026-04-08:7:U0MIA`);
    const again = (await textsTo('mia')).filter((text) => text.includes('in 7 days'));
    expect(again).toHaveLength(stillIsMain ? 1 : 0);
  });

  test('is told to nobody who stopped it, and they can turn it on again', async () => {
    const model = (await lastModels('2026-03-10')).get(MIA) ?? '';
    await retire(model, '2026-04-08');
    await moveClock(scene, new Date('2026-03-11T13:30:00Z'));
    await delivered(scene, `model-retires:${model}:2026-04-08:30:U0MIA`);
    const message = (await messagesIn(scene, 'dm', 'mia')).posts.find(({ text }) => text.includes('retires'));
    if (!message) throw new Error('Mia was not told');
    let since = scene.slack.mark();
    await clickButton(scene.slack, 'mia', message, 'Turn off', 'dm');
    expect((await nextAnswer(scene.slack, since)).text).toContain('Stopped for you: Messages about models that retire');
    await moveClock(scene, new Date('2026-04-01T14:30:00Z'));
    await toldIn(7);
    expect(await textsTo('mia')).toHaveLength(1);
    const list = await typeCommand(scene.slack, 'mia', '/usage', 'retire');
    expect(list.text).toContain('You turned off messages about models that retire.');
    since = scene.slack.mark();
    await clickButton(scene.slack, 'mia', list, 'Tell me again');
    expect((await nextAnswer(scene.slack, since)).text).toContain('You’ll be told again.');
  });

  test('is in the digest of the day after, with the number of people', async () => {
    const models = await lastModels('2026-03-10');
    const counts = Map.groupBy([...models.values()], (model) => model);
    const [[model] = ['']] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
    await retire(model, '2026-03-19');
    const { id } = await setUpDigest(scene, { where: 'channel', channel: 'C0USAGE', rhythm: 'weekdays', at: '09:00' });
    await moveClock(scene, new Date('2026-03-12T09:01:00Z'));
    await delivered(scene, `digest:${id}:`);
    const digest = (await messagesIn(scene, 'agent-usage')).posts.find(({ text }) => text.includes('retires'));
    expect(digest?.text).toContain(`\`${model}\` retires in 7 days, on 19 Mar.`);
    const count = [...(await lastModels('2026-03-11')).values()].filter((one) => one === model).length;
    expect(count).toBeGreaterThanOrEqual(5);
    expect(digest?.text).toContain(`It is still the main model of ${count} people.`);
  });

  test('has no number for a small group', async () => {
    const counts = Map.groupBy([...(await lastModels('2026-03-10')).values()], (model) => model);
    const [rare] = [...counts].filter(([, people]) => people.length < 5).map(([model]) => model);
    await retire(rare ?? '', '2026-03-19');
    await setUpDigest(scene, { where: 'channel', channel: 'C0USAGE', rhythm: 'weekdays', at: '09:00' });
    await moveClock(scene, new Date('2026-03-12T09:01:00Z'));
    await delivered(scene, 'digest:');
    const digest = (await messagesIn(scene, 'agent-usage')).posts.find(({ text }) => text.includes('retires'));
    expect(digest?.text).toContain('It is the main model of fewer than 5 people.');
  });

  test('is set and removed by admins only; others read the list and their own right', async () => {
    for (const as of ['mia', 'morgan']) {
      expect(textOfView(await openByCommand(scene.slack, as, '/usage', 'retire new'))).toContain(
        onlyFor('admin', 'Setting the day on which a model retires'),
      );
      expect((await typeCommand(scene.slack, as, '/usage', 'retire')).text).toContain('No model is set to retire.');
    }
    await retire('atlas-large', 'dec 1');
    const forMia = await typeCommand(scene.slack, 'mia', '/usage', 'retire');
    expect(forMia.text).toContain('`atlas-large` retires in 265 days, on 1 Dec.');
    expect(JSON.stringify(forMia.blocks)).not.toContain('Remove');
    const list = await typeCommand(scene.slack, 'ada', '/usage', 'retire');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', list, 'Remove');
    expect((await nextAnswer(scene.slack, since)).text).toContain('atlas-large');
    expect((await typeCommand(scene.slack, 'ada', '/usage', 'retire')).text).toContain('No model is set to retire.');
  });

  test('has a form that suggests the model that was meant, and refuses a day in the past', async () => {
    const since = scene.slack.mark();
    await openByCommand(scene.slack, 'ada', '/usage', 'retire atlas-larg');
    expect(textOfView(await nextView(scene.slack, since, /Did you mean/))).toContain('Did you mean “atlas-large”?');
    await retire('atlas-large', '2026-03-01');
    expect(scene.slack.workspace.modalsOf('U0ADA').at(-1)?.errors).toEqual({
      day: 'Choose a day within two years from now.',
    });
    expect((await typeCommand(scene.slack, 'ada', '/usage', 'retire a b')).text).toContain('Type one model.');
  });
});
