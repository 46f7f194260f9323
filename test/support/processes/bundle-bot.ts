import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { leftOutPlugin } from '../../../src/programs/bundle/left-out-plugin.ts';
import { dateFnsPlugin } from '../../../src/programs/bundle/date-fns-plugin.ts';
import { BUNDLED_BOT } from './bot-processes.ts';

/** Bundles the bot for the suites that start and kill it hundreds of times, once for all their projects. */
export default async function bundleBot(): Promise<(() => void) | undefined> {
  if (process.env[BUNDLED_BOT] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bundled-bot-'));
  process.env[BUNDLED_BOT] = join(folder, 'bot.js');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const bundle = await rolldown({
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    input: {
      bot: 'test/support/processes/bot-process.ts',
      // The bot starts it as a thread of its own.
      'sqlite-checkpoint': 'src/core/store/engines/sqlite-checkpoint.ts',
    },
    platform: 'node',
    external: ['pg-native'],
    plugins: [dateFnsPlugin, leftOutPlugin()],
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' });
  return () => rmSync(folder, { recursive: true, force: true });
}
