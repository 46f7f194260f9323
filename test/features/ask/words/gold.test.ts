import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { offeredLines, understand } from '../../../../src/features/ask/messages/understood-line.ts';
import { createReadMessage } from '../../../../src/features/ask/words/read-message.ts';
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
type Question = z.infer<typeof questionSchema>;

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

interface Outcome {
  /** The command that is answered at once. */
  answered: string | undefined;
  offered: readonly string[];
}

/** Reads a direct message as the bot does. */
async function outcomeOf({ text, as }: Question): Promise<Outcome> {
  const event = {
    type: 'message' as const,
    channel: 'D0',
    channel_type: 'im',
    user: 'U0ASKER',
    text: text.replace(/^@Quartermaster/i, `<@${BOT}>`),
    ts: `${GOLD_NOW.getTime() / 1000}.000100`,
  };
  const message = readDirectedMessage(event, BOT, GOLD_NOW);
  const person = {
    slackId: 'U0ASKER',
    name: '',
    email: undefined,
    timeZone: 'UTC',
    role: as,
    seesPeople: as !== 'member',
  };
  const reader = { person, channel: 'D0' };
  const reading = message && (await readMessage(message.text, GOLD_NOW));
  const near = reading && 'near' in reading ? await offeredLines(deps, reading.near, reader) : [];
  const line = reading?.kind === 'answer' ? await understand(deps, reading.line, reader) : undefined;
  const offered = [...(line && !line.isQuestion && !line.isRefused ? [line] : []), ...near];
  const named = offered.map(({ shown }) => shown.replaceAll(/(\S+)@acme\.example/g, '@$1'));
  const answered = line?.isQuestion ? line.shown.replaceAll(/(\S+)@acme\.example/g, '@$1') : undefined;
  return { answered, offered: named.slice(0, answered === undefined ? 3 : 2) };
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

async function verdictOn(question: Question) {
  const { answered, offered } = await outcomeOf(question);
  const golds = new Set(question.gold.map((gold) => meaningOf(gold)));
  const isGold = (line: string) => golds.has(meaningOf(line));
  if (answered !== undefined && question.kind === 'answer') return isGold(answered) ? 'right' : `wrong: ${answered}`;
  if (answered !== undefined)
    return isGold(answered) || isDenied(answered, question.as) ? 'fine' : `wrong: ${answered}`;
  if (question.kind !== 'answer') return 'fine';
  return offered.some(isGold) ? 'offered' : 'missed';
}

/** `right`: the least share of the questions for figures that is answered at once; `found`: that, or a button. */
test.each([
  { name: 'given-questions.jsonl', right: 0.65, found: 0.92 },
  { name: 'own-questions.jsonl', right: 0.75, found: 0.94 },
  { name: 'unseen-questions.jsonl', right: 0.85, found: 0.95 },
  { name: 'fresh-questions.jsonl', right: 0.8, found: 0.95 },
])('$name', async ({ name, right, found }) => {
  const questions = read(name);
  const verdicts = await Promise.all(questions.map((question) => verdictOn(question)));
  const wrong = questions.flatMap(({ text }, at) =>
    verdicts[at]?.startsWith('wrong') ? [`${text}: ${verdicts[at]}`] : [],
  );
  expect(wrong).toEqual([]);
  const answerable = questions.filter(({ kind }) => kind === 'answer').length;
  const count = (verdict: string) => verdicts.filter((one) => one === verdict).length;
  expect(count('right') / answerable).toBeGreaterThanOrEqual(right);
  expect((count('right') + count('offered')) / answerable).toBeGreaterThanOrEqual(found);
});
