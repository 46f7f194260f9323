/** A simulated command-line client: it works, waits and ends, and sends its events through the snippet for users. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { fail, readArguments } from '../../command-line.ts';
import { hookSettings, type Connection } from '../../../features/sessions/hooks/commands/snippet.ts';

const USAGE = 'Usage: npm run agent -- [--url http://127.0.0.1:4001] [--pace 1]';

const argumentsSchema = z.object({
  url: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:4001'),
  /** Factor of the duration of each step; 1 is the usual duration. */
  pace: z.coerce.number().min(0).max(60).default(1),
});

const settingsSchema = z.object({
  hooks: z.record(
    z.string(),
    z.array(z.object({ hooks: z.array(z.object({ command: z.string(), timeout: z.number() })) })),
  ),
});

interface Step {
  description: string;
  event: Record<string, string>;
  /** The time before the next step. */
  seconds: number;
}

const STEPS: readonly Step[] = [
  {
    description: 'waits for you: open the messages of Quartermaster',
    event: { hook_event_name: 'Notification', message: 'May I run the migration of the payments database?' },
    seconds: 10,
  },
  { description: 'was allowed to, and continues', event: { hook_event_name: 'PostToolUse' }, seconds: 4 },
  { description: 'uses a tool', event: { hook_event_name: 'PostToolUse' }, seconds: 2 },
  { description: 'uses another one', event: { hook_event_name: 'PostToolUse' }, seconds: 2 },
  { description: 'had a subagent', event: { hook_event_name: 'SubagentStop' }, seconds: 2 },
  {
    description: 'finished: the card shows it if nothing follows for 20 seconds',
    event: { hook_event_name: 'Stop' },
    seconds: 25,
  },
  { description: 'ends', event: { hook_event_name: 'SessionEnd', reason: 'other' }, seconds: 0 },
];

async function main(): Promise<void> {
  const { url, pace } = readArguments(argumentsSchema, USAGE);
  const prompt = createInterface({ input: process.stdin });
  console.log('In the sandbox type /session notify, and paste its text here:');
  let code: string | undefined;
  for await (const line of prompt) {
    code = /qms_[\w-]{32}/.exec(line)?.[0];
    if (code !== undefined) break;
  }
  prompt.close();
  if (code === undefined) return fail('There was no setup code in it.');
  const home = mkdtempSync(join(tmpdir(), 'quartermaster-agent-'));
  try {
    await work(`agent-${Date.now().toString(36)}`, { url, code }, home, pace);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function work(session: string, connection: Connection, home: string, pace: number): Promise<void> {
  const { hooks } = settingsSchema.parse(JSON.parse(hookSettings(connection)));
  for (const { description, event, seconds } of STEPS) {
    const [command] = (hooks[event['hook_event_name'] ?? ''] ?? []).flatMap((entry) => entry.hooks);
    if (!command) throw new Error('The snippet has no command for this event');
    const body = JSON.stringify({ ...event, session_id: session, cwd: '/home/you/payments' });
    const status = await runShell(command.command, body, home);
    console.log(`The agent ${description}.${status === 0 ? '' : ` Its hook ended with ${status}!`}`);
    await sleep(seconds * pace * 1_000);
  }
}

/** Runs a command of a hook as a client does. @returns its exit code */
async function runShell(command: string, input: string, home: string): Promise<number> {
  const child = spawn('sh', ['-c', command], {
    env: { ...process.env, HOME: home },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  // A command that ends early closes its input.
  child.stdin.on('error', () => {});
  child.stdin.end(`${input}\n`);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

await main();
