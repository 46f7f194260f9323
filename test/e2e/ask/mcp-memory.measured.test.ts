import { expect, test } from 'vitest';
import { createSlackbot } from '../../../src/sandbox/slackbot/slackbot.ts';
import { identityOf, SIGNING_SECRET } from '../../support/ask/tools.ts';
import { BUNDLED_BOT } from '../../support/processes/bot-processes.ts';
import { setCrashScene } from '../../support/processes/crash-scene.ts';
import { freePort } from '../../support/processes/free-port.ts';

const MORNING = new Date('2026-03-02T09:00:05Z');
/** Of each kind; the median is compared. */
const STARTS = 3;
/** Two starts of the same program differ by a few percent. */
const MAX_RATIO = 1.1;
const PACKAGE = 'Loaded a module of @modelcontextprotocol/server';
const RECORDER = new URL('./record-packages.ts', import.meta.url).href;

// A bundle loads no modules that could be recorded.
delete process.env[BUNDLED_BOT];

interface Bot {
  memoryMb: number;
  isPackageLoaded: boolean;
}

/** Starts a bot, and measures it at rest. */
async function startAndMeasure(
  settings: Record<string, string>,
  use: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Bot> {
  const scene = await setCrashScene('sqlite', MORNING, { ...settings, NODE_OPTIONS: `--import=${RECORDER}` });
  try {
    const bot = await scene.startBot();
    await use();
    const { memoryMb } = await bot.measure();
    const isPackageLoaded = bot.logged().includes(PACKAGE);
    await bot.stop();
    return { memoryMb, isPackageLoaded };
  } finally {
    await scene.close();
  }
}

async function withTools(isUsed: boolean): Promise<Bot> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const settings = { MCP: 'slack', MCP_PORT: port, MCP_URL: url, SLACK_SIGNING_SECRET: SIGNING_SECRET };
  const slackbot = createSlackbot(`${url}/mcp`, SIGNING_SECRET);
  return startAndMeasure(settings, async () => isUsed && slackbot.call('limits', {}, identityOf('U0MORGAN')));
}

const medianMb = (bots: readonly Bot[]) =>
  bots.map(({ memoryMb }) => memoryMb).toSorted((a, b) => a - b)[Math.floor(bots.length / 2)] ?? 0;

test('a bot without MCP loads nothing of it, and needs no more memory at rest than one with it', async () => {
  const off: Bot[] = [];
  const on: Bot[] = [];
  const used: Bot[] = [];
  // In turns, so that a change of the machine affects all of them.
  for (let start = 0; start < STARTS; start += 1) {
    off.push(await startAndMeasure({}));
    on.push(await withTools(false));
    used.push(await withTools(true));
  }
  const [offMb, onMb, usedMb] = [off, on, used].map(medianMb).map(Math.round);
  process.stdout.write(`at rest: MCP off ${offMb} MB, on ${onMb} MB, after a call ${usedMb} MB\n`);
  const loaded = [off, on, used].map((bots) => bots.filter(({ isPackageLoaded }) => isPackageLoaded).length);
  expect(loaded).toEqual([0, 0, STARTS]);
  expect(medianMb(off)).toBeLessThan(MAX_RATIO * medianMb(on));
  expect(medianMb(off)).toBeLessThan(MAX_RATIO * medianMb(used));
}, 180_000);
