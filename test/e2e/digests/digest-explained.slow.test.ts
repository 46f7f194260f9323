import { afterEach, describe, expect, test } from 'vitest';
import { explain, pressCheck } from '../../support/slack/explanations.ts';
import { delivered, messagesIn, setUpDigest, type FormChoices } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const DAY = '2026-03-02';
const check = (as: string) => pressCheck(scene.slack, as, 'digest_check_now');

/** A daily digest of `DAY`, posted the next morning. */
async function postedDigest(choices: FormChoices = {}, options: TestAppOptions = {}) {
  scene = await startTestApp({ at: new Date(`${DAY}T12:00:00Z`), ...options });
  const rhythm = { rhythm: 'daily', at: '09:00', zone: 'UTC' };
  const { id } = await setUpDigest(scene, { ...rhythm, sections: ['summary', 'credits'], ...choices }, 'ada');
  await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
  await delivered(scene, `${id}:2026-03-03`);
  return lastPost();
}

async function lastPost() {
  const post = (await messagesIn(scene, 'agent-usage')).posts.at(-1);
  if (!post) throw new Error('No digest was posted');
  return post;
}

describe('How was this worked out? on a digest', () => {
  test('explains each of its figures once, to every reader of its channel', async () => {
    const post = await postedDigest();
    const modal = await explain(scene.slack, 'mia', post);
    expect(modal).toContain('Daily digest, Mon 2 Mar (UTC)');
    expect(modal.match(/\*Credits: [\d,]+\*/g)).toHaveLength(1);
    expect(modal).toContain('*Cache reads: ');
    expect(modal).toMatch(/May still change: Mon 2 Mar, read <!date/);
  });

  test('names people only to readers who may see them', async () => {
    const post = await postedDigest({ sections: ['summary', 'people'] });
    expect(await explain(scene.slack, 'ada', post)).toContain('Credits of all people');
    const asMember = await explain(scene.slack, 'mia', post);
    expect(asMember).toContain('*Credits: ');
    expect(asMember).not.toMatch(/Credits of all people|Credits by person/);
  });

  test('about a team is for managers', async () => {
    const post = await postedDigest({ audience: 'S0WEB' }, { settings: { MIN_GROUP: '1' } });
    expect(await explain(scene.slack, 'mia', post)).toContain('only managers see how it was worked out');
    expect(await explain(scene.slack, 'morgan', post)).toContain('the people in @web-team');
  });
});

describe('Check now on a digest', () => {
  test('says that its figures hold', async () => {
    const post = await postedDigest();
    await explain(scene.slack, 'mia', post);
    expect(await check('mia')).toMatch(/✅ \*Unchanged: .* credits\* on Mon 2 Mar/);
  });

  test('says what differs, and corrects the digest at once, with one note in its thread', async () => {
    const post = await postedDigest();
    await explain(scene.slack, 'mia', post);
    scene.platform.reviseDay(DAY, 1.2);
    const result = await check('mia');
    expect(result).toMatch(/✏️ \*Changed\* on Mon 2 Mar, read .*\n•\s+\*Credits:\* [\d,]+ → [\d,]+/);
    expect(result).toContain('The digest is corrected, with a note in its thread.');
    await delivered(scene, ':correction:%:note');
    const corrected = await lastPost();
    expect(corrected.text).toMatch(/✏️ Corrected .*: [\d,]+ → [\d,]+ credits \(details in thread\)/);
    expect(corrected.isEdited).toBe(true);
  });

  test('reports a small difference that does not change the digest', async () => {
    const post = await postedDigest({ sections: ['credits'] }, { platform: { people: 300 } });
    await explain(scene.slack, 'mia', post);
    scene.platform.reviseDay(DAY, 1.0005);
    const result = await check('mia');
    expect(result).toContain('✏️ *Changed*');
    expect(result).toContain('Differences of less than 0.5% don’t change the digest.');
  });
});
