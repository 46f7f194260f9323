import { expect, test } from 'vitest';
import { setCrashScene } from '../support/processes/crash-scene.ts';
import { openReview, peopleIn, putsOf, reviewValues, untilQuiet, untilState } from '../support/limits/limits.ts';
import { openByCommand, submitForm, textOfView } from '../support/slack/modals.ts';

const EVENING = new Date('2026-03-02T09:00:05Z');
const LINES = 5_000;
const PREVIEW_LASTS_AT_MOST_MS = 3_000;
const MAX_STALL_MS = 50;

test(`${LINES} lines are previewed, requested, approved and set without blocking the process`, async () => {
  const scene = await setCrashScene('sqlite', EVENING, { LIMITS_CHANNEL: '#agent-usage' }, { people: LINES + 200 });
  try {
    const bot = await scene.startBot();
    await bot.measure();
    // Admins may not decide about their own limit, and there is one admin.
    const emails = scene.platform.organization.people
      .flatMap(({ email }) => email ?? [])
      .filter((email) => !email.startsWith('ada.'))
      .slice(0, LINES);
    const content = emails.map((email, index) => `${email},${index}`).join('\n');
    await openByCommand(scene.slack, 'morgan', '/limits', 'import');
    const contentBase64 = Buffer.from(content).toString('base64');
    const file = await scene.slack.control.upload({ as: 'morgan', name: 'limits.csv', contentBase64 });
    const startedMs = performance.now();
    await submitForm(scene.slack, 'morgan', { file: { file: [file.id] } });
    const previewMs = performance.now() - startedMs;
    const preview = await bot.measure();
    const sent = textOfView(await submitForm(scene.slack, 'morgan', { reason: { reason: 'New seats' } }));
    const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
    await untilQuiet(scene);
    const asking = await bot.measure();
    await openReview(scene, 'ada', id);
    const applyingMs = performance.now();
    await submitForm(scene.slack, 'ada', reviewValues());
    await untilState(scene, id, 'applied');
    const tookMs = performance.now() - applyingMs;
    await untilQuiet(scene);
    const applying = await bot.measure();
    const stalls = { preview: preview.worstStallMs, asking: asking.worstStallMs, applying: applying.worstStallMs };
    process.stdout.write(
      `${LINES} lines: preview in ${Math.round(previewMs)} ms, set in ${Math.round(tookMs)} ms by ${putsOf(scene)} PUTs; longest stalls ${Object.entries(
        stalls,
      )
        .map(([name, stallMs]) => `${name} ${Math.round(stallMs)} ms`)
        .join(
          ', ',
        )}; memory at most ${Math.round(Math.max(preview.peakMemoryMb, asking.peakMemoryMb, applying.peakMemoryMb))} MB\n`,
    );
    expect(previewMs).toBeLessThan(PREVIEW_LASTS_AT_MOST_MS);
    expect(putsOf(scene)).toBe(LINES / 100);
    expect((await peopleIn(scene, id)).every(({ state }) => state === 'set')).toBe(true);
    expect(Math.max(...Object.values(stalls))).toBeLessThan(MAX_STALL_MS);
  } finally {
    await scene.close();
  }
});
