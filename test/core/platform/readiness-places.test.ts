import { expect, test } from 'vitest';
import { READINESS_PLACES } from '../../../src/core/platform/endpoints/readiness-place.ts';
import type { UnreadableReport } from '../../../src/core/platform/endpoints/readiness.ts';
import { startScript, type ScriptedAnswer } from './script-server.ts';
import { collect, createTestClient, failureOf } from './test-client.ts';

const [TODAY, CONTRACT] = READINESS_PLACES;

const NOT_THERE: ScriptedAnswer = { status: 404, json: { detail: 'No such operation' } };
const GONE: readonly ScriptedAnswer[] = [NOT_THERE, { status: 405 }, { text: '<!doctype html><html></html>' }];
const reports = (...list: unknown[]): ScriptedAnswer => ({ json: { reports: list } });
const report = (reportId: unknown, criterion: unknown = { numerator: 1, denominator: 1, rationale: '' }) => ({
  reportId,
  createdAt: 1,
  repoUrl: 'https://git.acme.example/acme/web',
  apps: {},
  report: { readme: criterion },
});

async function startClient(...answers: ScriptedAnswer[]) {
  const { address, requests } = await startScript(answers);
  return { client: createTestClient(address), paths: () => requests.map(({ url }) => url.split('?')[0]) };
}

test.each(GONE)('the place of the contract is found and remembered after %o at that of today', async (gone) => {
  const { client, paths } = await startClient(gone, reports(report('r1')), reports());
  expect((await client.readiness.reports()).reports).toHaveLength(1);
  await client.readiness.reports();
  expect(paths()).toEqual([TODAY, CONTRACT, CONTRACT]);
  // What a platform says about an address that it does not have is no fault of the platform or of the key.
  expect(client.events[0]).toMatchObject({ isTrial: true });
});

test('a platform whose unknown addresses refuse the key is read at the place of the contract', async () => {
  const { client, paths } = await startClient({ status: 401, json: {} }, reports(report('r1')));
  expect((await client.readiness.reports()).reports).toHaveLength(1);
  expect(paths()).toEqual([TODAY, CONTRACT]);
});

test('a refusal of the key at the place of the contract is reported as one', async () => {
  const { client } = await startClient(NOT_THERE, { status: 403, json: {} });
  expect(await failureOf(client.readiness.reports())).toMatchObject({ code: 'forbidden', path: CONTRACT });
});

test.each(GONE)('reports that move while the bot runs are found again after %o', async (gone) => {
  const { client, paths } = await startClient(NOT_THERE, reports(), gone, reports(report('r1')), reports());
  await client.readiness.reports();
  expect((await client.readiness.reports()).reports).toHaveLength(1);
  await client.readiness.reports();
  expect(paths()).toEqual([TODAY, CONTRACT, CONTRACT, TODAY, TODAY]);
});

test('a platform with neither place has an error of its own', async () => {
  const { client } = await startClient(NOT_THERE, NOT_THERE);
  expect(await failureOf(client.readiness.reports())).toMatchObject({ code: 'moved_away', status: 404 });
});

test('an unknown repository is still 404 where reports are', async () => {
  const { client } = await startClient(reports(), NOT_THERE, NOT_THERE);
  await client.readiness.reports();
  expect(await failureOf(client.readiness.reports({ repoId: 'nobody' }))).toMatchObject({ code: 'not_found' });
});

test('an outage is reported as one, and the other place is not asked', async () => {
  const outage: ScriptedAnswer = { status: 503 };
  const { client, paths } = await startClient(outage, outage, outage, outage, outage);
  expect(await failureOf(client.readiness.reports())).toMatchObject({ code: 'server_error' });
  expect(new Set(paths())).toEqual(new Set([TODAY]));
});

test.each([
  ['a negative numerator', report('bad', { numerator: -1, denominator: 1 })],
  ['a numerator in words', report('bad', { numerator: 'all', denominator: 1 })],
  ['no numerator', report('bad', { denominator: 1 })],
  ['no denominator', report('bad', { numerator: 1 })],
  ['a denominator of 0', report('bad', { numerator: 0, denominator: 0 })],
  ['a time in words', { ...report('bad'), createdAt: 'yesterday' }],
  ['no address', { ...report('bad'), repoUrl: null }],
  ['an id that is no text', report(7)],
  ['nothing at all', null],
])('one report with %s costs only itself', async (_, bad) => {
  const { client } = await startClient(reports(report('r1'), bad), reports(report('r2')), reports());
  const unreadable: UnreadableReport[] = [];
  const read = await collect(client.readiness.eachReport({}, { onUnreadable: (one) => void unreadable.push(one) }));
  expect(read.map(({ reportId }) => reportId)).toEqual(['r1', 'r2']);
  expect(unreadable).toHaveLength(1);
});

test('an unreadable report at the end of a page does not end the listing', async () => {
  const { address, requests } = await startScript([
    reports(report('r1'), report('last', 7)),
    reports(report('r2')),
    reports(),
  ]);
  const read = await collect(createTestClient(address).readiness.eachReport());
  expect(read.map(({ reportId }) => reportId)).toEqual(['r1', 'r2']);
  expect(requests[1]?.url).toContain('startAfter=last');
});

test('reports of which none can be read are not “no reports”', async () => {
  const { client } = await startClient(reports(report('r1', 7), report('r2', 7)), reports());
  expect(await failureOf(collect(client.readiness.eachReport()))).toMatchObject({ code: 'wrong_shape' });
});

test('a skipped criterion is read, whatever its denominator', async () => {
  const skipped = [{ numerator: null, denominator: 2 }, { numerator: null, denominator: 0 }, { numerator: null }];
  const { client } = await startClient(reports(...skipped.map((one, at) => report(`r${at}`, one))), reports());
  const read = await collect(client.readiness.eachReport());
  expect(read.map((one) => one.report['readme']?.numerator)).toEqual([null, null, null]);
});
