import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { directMessage, directMessages, codeOf, startHooksApp } from '../../support/hooks/hooks.ts';

let scene: Awaited<ReturnType<typeof startHooksApp>>;
beforeEach(async () => {
  scene = await startHooksApp();
});
afterEach(() => scene.close());

test('npm run agent works, waits and ends, and its person sees each state on one card', async () => {
  const code = await codeOf(scene, 'mia');
  const url = new URL(scene.hooksUrl).origin;
  const file = new URL('../../../src/sandbox/demo/agent/main.ts', import.meta.url).pathname;
  const agent = spawn(process.execPath, [file, '--url', url, '--pace', '0.2'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [agent.stdout, agent.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  agent.stdin.end(`the text with ${code} in it\n`);
  const ended = new Promise<number | null>((resolve) => agent.once('close', resolve));
  await directMessage(scene, 'mia', /Waits for you\* in `payments`\nMay I run the migration/);
  expect(await ended).toBe(0);
  await directMessage(scene, 'mia', /Finished and closed[\s\S]*3 tool calls · 1 subagent/);
  expect(await directMessages(scene, 'mia')).toHaveLength(1);
  expect(said).not.toContain('!');
});
