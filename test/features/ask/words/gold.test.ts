import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { understand } from '../../../../src/features/ask/messages/understood-line.ts';
import { createReadMessage } from '../../../../src/features/ask/words/read-words.ts';
import { createMovableClock } from '../../../../src/sandbox/demo/movable-clock.ts';
import { readDirectedMessage } from '../../../../src/core/slack/interactions/directed-messages.ts';
import { readableCommands } from '../../../support/ask/commands.ts';
import { GOLD_NOW, meaningOf } from '../../../support/ask/gold.ts';

const questionSchema = z.object({
  id: z.string(),
  as: z.enum(['member', 'manager', 'admin']),
  text: z.string(),
  gold: z.array(z.string()),
  kind: z.enum(['answer', 'clarify', 'refuse', 'action']),
});

const HANDLES = ['web', 'mobile', 'platform', 'payments', 'data', 'security', 'mobile-squad'];
const FIRST_NAMES = ['max', 'dana', 'priya', 'lee'];
const BOT = 'U0QUARTERMASTER';
const clock = createMovableClock(GOLD_NOW);
afterAll(() => clock.dispose());

const directory = {
  teams: () => Promise.resolve(HANDLES.map((handle, index) => ({ id: `S${index}`, handle, members: [], emails: [] }))),
  names: () => Promise.resolve(new Map(FIRST_NAMES.map((name) => [`${name}@acme.example`, name]))),
  describe: () => Promise.resolve(undefined),
  groupHandle: (id: string) => Promise.resolve(HANDLES[Number(id.slice(1))]),
};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only names are read of people
const deps = {
  commands: new Map(readableCommands(clock).map((one) => [one.help.command, one])),
  clock,
  people: directory,
} as unknown as Parameters<typeof understand>[0];
const readMessage = createReadMessage(directory);

/** Reads a direct message as the bot does; undefined if no figures would be the answer. */
async function answeredLine(text: string): Promise<string | undefined> {
  const event = {
    type: 'message' as const,
    channel: 'D0',
    channel_type: 'im',
    user: 'U0ASKER',
    text: text.replace(/^@Quartermaster/i, `<@${BOT}>`),
    ts: `${GOLD_NOW.getTime() / 1000}.000100`,
  };
  const message = readDirectedMessage(event, BOT, GOLD_NOW);
  const asker = { slackId: 'U0ASKER', name: '', email: undefined, timeZone: 'UTC', seesPeople: true };
  const reading = message && (await readMessage(message.text, { ...asker, role: 'member' }, GOLD_NOW));
  if (reading?.kind !== 'answer') return undefined;
  const line = await understand(deps, reading.line);
  return line?.isQuestion ? line.shown.replaceAll(/(\S+)@acme\.example/g, '@$1') : undefined;
}

const read = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => questionSchema.parse(JSON.parse(line)));

/** Commands whose answer is a refusal for the role: then no figures are shown. */
function isDenied(line: string, as: string): boolean {
  const [command = '', ...words] = line.split(' ');
  if (as === 'admin') return false;
  if (command === '/limits' && (words[0] === 'audit' || words[0] === 'ending')) return true;
  if (as === 'manager') return false;
  if (['/budget', '/digest', '/controls'].includes(command)) return true;
  if (command === '/limits') return words.some((word) => word.includes('@')) || words[0] === 'simulate';
  return (
    command === '/usage' &&
    (words.includes('people') || words.includes('teams') || words.some((word) => word.includes('@')))
  );
}

async function verdictOn(question: z.infer<typeof questionSchema>) {
  const line = await answeredLine(question.text);
  const golds = new Set(question.gold.map((gold) => meaningOf(gold)));
  const isRight = line !== undefined && golds.has(meaningOf(line));
  const figures =
    question.kind === 'answer' ? (isRight ? 'right' : 'wrong') : isDenied(line ?? '', question.as) ? 'fine' : 'wrong';
  const noFigures = question.kind === 'answer' ? 'not answered' : 'fine';
  const verdict = line === undefined ? noFigures : figures;
  return { ...question, line, verdict };
}

test.each(['given-questions.jsonl', 'own-questions.jsonl'])('%s', async (name) => {
  const results = await Promise.all(read(name).map((question) => verdictOn(question)));
  const answerable = results.filter(({ kind }) => kind === 'answer');
  const count = (verdict: string) => results.filter((one) => one.verdict === verdict).length;
  const wrong = results.filter(({ verdict }) => verdict === 'wrong');
  expect(wrong.map(({ text, line }) => `${text} was read as ${line ?? ''}`)).toEqual([]);
  expect(count('not answered')).toBeLessThanOrEqual(answerable.length / 4);
});
