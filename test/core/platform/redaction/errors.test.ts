import { describe, expect, test } from 'vitest';
import { isPlatformError } from '../../../../src/core/platform/errors.ts';
import { startScript, type ScriptedAnswer } from '../script-server.ts';
import { createTestClient } from '../test-client.ts';

const SECRET = 'hunter2-hunter2-hunter2';
const settings = { customModels: [{ id: 'a', apiKey: SECRET }] };
const page = {
  changes: [{ revision: 1, settings, updatedAt: '2026-03-02T07:00:00Z' }],
  pagination: { hasMore: false },
};
const text = JSON.stringify(page);

async function failureOf(answer: ScriptedAnswer, times = 1) {
  const { address } = await startScript(Array.from({ length: times }, () => answer));
  const client = createTestClient(address, { deadlineMs: 10_000, random: () => 1 });
  try {
    return { page: await client.controls.history(), events: client.events };
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    return { error, events: client.events };
  }
}

describe('an unreadable answer of the controls is never quoted', () => {
  test.each<[string, ScriptedAnswer, times?: number]>([
    ['a prefix before the JSON', { text: `)]}',\n${text}` }],
    ['JSON that broke off', { text: text.slice(0, -8) }, 5],
    ['another shape', { json: { ...page, changes: settings } }],
    ['a refusal that quotes it', { status: 400, json: { title: 'Bad', detail: text, requestId: SECRET } }],
    ['a refusal in plain text', { status: 403, text }],
    ['a request id that quotes it', { status: 400, headers: { 'x-request-id': `is ${SECRET}` }, text }],
  ])('in %s', async (_name, answer, times) => {
    const failure = await failureOf(answer, times);
    expect(failure.error).toBeDefined();
    expect(JSON.stringify([failure.error, failure.error?.message, failure.error?.stack])).not.toContain('hunter2');
    expect(failure.error?.detail).not.toBe('');
  });

  test.each([
    ['settings that are a list', { ...page.changes[0], settings: [settings] }, 1],
    ['a number that is a text', { ...page.changes[0], revision: SECRET }, undefined],
    ['a text in place of a revision', SECRET, undefined],
  ])('nor are %s, which cost only that revision', async (_name, change, unreadable) => {
    const answer = await failureOf({ json: { ...page, changes: [change, ...page.changes] } });
    expect(answer.page).toMatchObject({ changes: [{ revision: 1 }], unreadable: [{ unreadable }] });
    expect(JSON.stringify([answer.page, answer.events])).not.toContain('hunter2');
  });

  test('unknown members beside the settings are dropped', async () => {
    const more = { ...page, changes: [{ ...page.changes[0], previousSettings: settings }], note: SECRET };
    expect(JSON.stringify(await failureOf({ json: more }))).not.toContain('hunter2');
  });
});
