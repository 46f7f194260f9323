import { describe, expect, test } from 'vitest';
import { startScript } from '../script-server.ts';
import { createTestClient, failureOf, TEST_KEY } from '../test-client.ts';
import { statedSentence, platformSentence } from '../../../../src/core/slack/blocks/faults.ts';

async function refusalOf(status: number, json: unknown) {
  const { address } = await startScript([{ status, json }]);
  return failureOf(createTestClient(address).computers.get('c1'));
}

describe('the reason of the platform for a refusal', () => {
  test.each([
    [403, 'enterprise_required', 'whether the plan of your organization includes it'],
    [403, 'insufficient_role', 'a personal key of a Manager or Owner.'],
    [403, 'Service accounts are not supported', 'keys of service accounts don’t work'],
    [402, 'Upgrade to use computers', 'requires a paid plan'],
    [401, 'The key was revoked', 'set a new PLATFORM_API_KEY'],
    [404, 'No such computer', 'Check the name or id'],
    [409, 'An installation is running', 'can’t be done right now'],
    [400, 'name must be lowercase', 'didn’t accept this'],
  ])('with %s, “%s” is shown beside what to do', async (status, detail, remedy) => {
    const sentence = statedSentence(await refusalOf(status, { title: 'Refused', detail, status }));
    expect(sentence).toContain(remedy);
    expect(sentence).toContain(`The platform says: “${detail}”.`);
  });

  test('shows no secret, no e-mail and one line of at most 200 characters', async () => {
    const detail = `key ${TEST_KEY} of mia.member@acme.example\nwith sk-live-9f8e7d6c5b4a39281706f5e4 ${'x '.repeat(120)}`;
    const sentence = statedSentence(await refusalOf(403, { detail }));
    expect(sentence).not.toMatch(/qm-test-key|mia|acme|sk-live|\n/);
    expect(sentence).toContain('‹hidden›');
    expect(sentence.length).toBeLessThan(450);
  });

  test.each([
    ['a page', { text: '<html>Forbidden by the proxy</html>' }],
    ['no text', { json: { detail: 7 } }],
    ['nothing', { json: {} }],
  ])('is left out if the answer is %s', async (_, answer) => {
    const { address } = await startScript([{ status: 403, ...answer }]);
    const error = await failureOf(createTestClient(address).computers.get('c1'));
    expect(statedSentence(error)).toBe(platformSentence(error));
  });

  test('is never in the fixed words of a sentence', async () => {
    expect(platformSentence(await refusalOf(403, { detail: 'insufficient_role' }))).not.toContain('insufficient_role');
  });

  test('is left out for an outage, which is no refusal', async () => {
    const { address } = await startScript([{ status: 500, json: { detail: 'stack trace' } }]);
    const call = createTestClient(address).computers.create({ name: 'n', remoteUser: 'u' });
    expect(statedSentence(await failureOf(call))).not.toContain('stack trace');
  });
});
