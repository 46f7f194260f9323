import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../../src/core/base/roles.ts';
import { offeredLines, understand } from '../../../../src/features/ask/messages/understood-line.ts';
import { directoryOf } from '../../../../src/features/ask/subject-words.ts';
import { vocabularyLines } from '../../../../src/features/ask/words/vocabulary.ts';
import { readMessageText } from '../../../../src/features/ask/words/read-message.ts';
import { createMovableClock } from '../../../../src/sandbox/demo/movable-clock.ts';
import { readableCommands } from '../../../support/ask/commands.ts';
import { GOLD_NOW } from '../../../support/ask/gold.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const clock = createMovableClock(GOLD_NOW);
afterAll(() => clock.dispose());
const teams = ['web', 'data'].map((handle, index) => ({ id: `S${index}`, handle, members: [], emails: [] }));
const names = new Map([
  ['dana@acme.example', 'Dana Diaz'],
  ['max@acme.example', 'Max Weber'],
]);
const directory = directoryOf(teams, names);
const people = {
  teams: () => Promise.resolve(teams),
  names: () => Promise.resolve(names),
  describe: () => Promise.resolve(undefined),
  groupHandle: () => Promise.resolve('web'),
};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only names are read of people and channels
const deps = {
  commands: new Map(readableCommands(clock).map((one) => [one.help.command, one])),
  clock,
  people,
  channels: { describe: () => Promise.resolve(undefined) },
} as unknown as Parameters<typeof understand>[0];

/** An oracle of its own: who may use a command line, by its words. */
function needs(line: string): Role {
  const [command = '', first = '', ...rest] = line.toLowerCase().split(' ');
  const words = [first, ...rest];
  // The person of this test is U1 themselves.
  const namesOthers = words.some((word) => word !== '<@u1>' && (word.includes('@') || word.startsWith('<')));
  if (command === '/limits' && ['audit', 'ending', 'policies', 'declare', 'approvers'].includes(first)) return 'admin';
  if (command === '/quartermaster' && ['jobs', 'tokens', 'erase'].includes(first)) return 'admin';
  if (command === '/controls' && ['watch', 'unwatch'].includes(first)) return 'admin';
  if (['/budget', '/digest', '/controls'].includes(command)) return 'manager';
  if (command === '/limits') return ['import', 'simulate'].includes(first) || namesOthers ? 'manager' : 'member';
  if (command === '/readiness') return ['watch', 'unwatch'].includes(first) ? 'manager' : 'member';
  if (command !== '/usage') return 'member';
  const isOfManagers = words.some((word) => ['people', 'teams', 'watch', 'unwatch'].includes(word));
  return isOfManagers || namesOthers ? 'manager' : 'member';
}
const RANK = { member: 0, manager: 1, admin: 2 };

const WORDS = vocabularyLines().flatMap(([, words]) => words);
const anyWord = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  fc.constantFrom('last week', 'october', '@web', 'dana', 'max@acme.example', '4', '5m', 'acme/api', '#general', '80%'),
  fc.constantFrom('mcpPolicy', 'ci-runner-2', 'model-alpha', 'model-beta', 'xyzzy', '02/01', 'tomorrow', '<@U1>', '…'),
);
const anyMessage = fc.array(anyWord, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));

test('any message is answered, offered or explained, and offers only what the person may press', async () => {
  await fc.assert(
    fc.asyncProperty(anyMessage, fc.constantFrom('member' as const, 'manager', 'admin'), async (text, role) => {
      const person = {
        slackId: 'U1',
        name: '',
        email: undefined,
        timeZone: 'UTC',
        role,
        seesPeople: role !== 'member',
      };
      const reader = { person, channel: 'D1' };
      const reading = readMessageText(text, directory, GOLD_NOW);
      const near = 'near' in reading ? await offeredLines(deps, reading.near, reader) : [];
      const line = reading.kind === 'answer' ? await understand(deps, reading.line, reader) : undefined;
      const pressed = line?.opensForm && !line.isRefused ? [...near, line] : near;
      expect(near.every((one) => one.isQuestion || one.opensForm)).toBe(true);
      for (const { command, text: typed } of pressed)
        expect([`${command} ${typed.text}`, RANK[role] >= RANK[needs(`${command} ${typed.text}`)]]).toEqual([
          `${command} ${typed.text}`,
          true,
        ]);
      expect(new Set(near.map(({ shown }) => shown)).size).toBe(near.length);
    }),
    { numRuns: propertyRuns(1_000) },
  );
}, 120_000);

describe('a hostile message', () => {
  test.each([
    ['one letter', 'a'],
    ['words', 'usage last '],
    ['unknown words', 'zxqv '],
    ['dates', '02/01 '],
    ['slashes', '/'],
    ['angle brackets', '<@'],
    ['control characters', '\u0000\u0007'],
    ['symbols', '€$%&'],
    ['spaces', ' '],
    ['an emoji', '👩‍👩‍👧'],
    ['digits', '9'],
    ['dashes', 'a-'],
  ])('of 10,000 characters of %s is read in bounded time', (_, part) => {
    const text = part.repeat(Math.ceil(10_000 / part.length));
    readMessageText('usage', directory, GOLD_NOW);
    const startedMs = performance.now();
    expect(['answer', 'unclear', 'ambiguous', 'hello', 'unknown']).toContain(
      readMessageText(text, directory, GOLD_NOW).kind,
    );
    expect(performance.now() - startedMs).toBeLessThan(500);
  });
});

test.each(['hi', 'Hello!', 'thanks', 'ok thanks', 'thank you so much', 'help', 'Help?', 'good morning'])(
  '“%s” gets a sentence that helps',
  (text) => expect(readMessageText(text, directory, GOLD_NOW)).toEqual({ kind: 'hello' }),
);

test.each([
  'everybody except the web team',
  'usage without dana last week',
  'credits of all teams but data in october',
])('“%s” leaves somebody out, so it is not answered at once', (text) =>
  expect(readMessageText(text, directory, GOLD_NOW).kind).not.toBe('answer'),
);

test.each([
  ['who did NOT use it last week', 'people last week'],
  ['wich modles did we use in ocotber', 'models october'],
  ['dana vs max last month', 'last month dana@acme.example vs max@acme.example'],
  ['last week me please', 'last week me'],
  ['my usage 13/11/2026', 'nov 13 me'],
  ['ytd usage, me', 'this year me'],
  ['what did we use in week 46', 'nov 9 to nov 15'],
])('“%s” is /usage %s', (text, words) =>
  expect(readMessageText(text, directory, GOLD_NOW)).toMatchObject({ kind: 'answer', line: { text: words } }),
);

test.each([
  ['my usage on 02/01', undefined, ['jan 2 me', 'feb 1 me']],
  ['my usage tomorrow', 'There are no figures for tomorrow yet.', ['yesterday me']],
  ['my credits last week tomorrow', 'There are no figures for tomorrow yet.', ['last week vs yesterday me']],
  ['my usage last week vs on 02/01', undefined, ['last week vs jan 2 me', 'last week vs feb 1 me']],
])('“%s” is asked', (text, sentence, words) => {
  const reading = readMessageText(text, directory, GOLD_NOW);
  expect(reading).toMatchObject({ kind: 'unclear', near: words.map((one) => ({ text: one })) });
  expect('sentence' in reading ? reading.sentence : undefined).toBe(sentence);
});

test('a warm reading takes at most 5 ms', () => {
  const text = 'how much did the web team use for models in the last 4 weeks compared to october?';
  const read = () => {
    const startedMs = performance.now();
    readMessageText(text, directory, GOLD_NOW);
    return performance.now() - startedMs;
  };
  // Other processes delay most readings, but not each of them.
  expect(Math.min(...Array.from({ length: 300 }, read).slice(100))).toBeLessThan(5);
});
