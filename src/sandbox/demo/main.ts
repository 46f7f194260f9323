import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { explainStart, fail, readArguments } from '../command-line.ts';
import { EDITIONS } from '../platform/model/edition.ts';
import { startDemo, type Demo } from './demo.ts';

const USAGE = 'Usage: npm run demo -- [--platform today|contract] [--people 60] [--seed 1] [--port 4000] [--keep]';
/** The folder for the bot's state with `--keep`. */
const KEPT_FOLDER = 'data/demo';

const argumentsSchema = z.object({
  platform: z.enum(EDITIONS).default('today'),
  people: z.coerce.number().int().min(5).max(20_000).default(60),
  seed: z.coerce.number().int().default(1),
  port: z.coerce.number().int().min(0).max(65_535).default(4_000),
  keep: z.boolean().default(false),
});

async function main(): Promise<void> {
  const { platform: edition, people, seed, port, keep } = readArguments(argumentsSchema, USAGE, ['keep']);
  const { folder, remove } = makeFolder(keep);
  const options = { edition, people, seed, port, folder, isFurnished: true };
  const demo = await startDemo(options, fail).catch((error: unknown) => {
    remove();
    return fail(explainStart(error, port, `npm run demo -- --port ${port + 1}`));
  });
  await demo.askFirst();
  console.log(describe(demo, people, keep));
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void demo.stop().finally(() => {
      remove();
      process.exit(0);
    });
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Creates the folder of one demo, which is removed at the end unless it is kept. */
function makeFolder(keep: boolean): { folder: string; remove: () => void } {
  if (!keep) {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-demo-'));
    return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
  }
  mkdirSync(KEPT_FOLDER, { recursive: true });
  return { folder: resolve(KEPT_FOLDER), remove: () => {} };
}

function describe({ address, hooksUrl, toolsUrl, logFile }: Demo, people: number, keep: boolean): string {
  return `Quartermaster answers in Slack who used how many credits, and changes limits after an admin approves. It runs
here with a simulated Slack, a simulated platform and ${people} invented people. Open

  ${address}

The page begins with figures and three steps that it takes for you. You can be Morgan (manager), Mia (member) or Ada (admin), among
others. Five more things to try:
  1. As Morgan type /usage people last week in #general.
  2. Press “Next morning” and open #agent-usage: yesterday's digest is there, once.
  3. Become Mia and type /usage last week me; then /usage sumary.
  4. Type /session notify; in a second terminal run npm run agent -- --url ${hooksUrl}
     A simulated agent works, waits and ends, and Quartermaster reports each state.
  5. Press “Slackbot” and ask “will I run out?”. A coding client can ask, too: /quartermaster token shows how (${toolsUrl}).

The bot's log is ${logFile}${keep ? '' : ' (deleted at the end; --keep keeps it)'}. Ctrl+C stops the demo.`;
}

await main();
