import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { restoreBackup, takeBackup } from '../../../src/programs/backup/backup.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { requireTeam } from '../../../src/core/store/identity.ts';
import { StoreError } from '../../../src/core/store/engines/store-error.ts';
import { availableEngines, createDatabase, createEmptyDatabase } from '../../support/stores/databases.ts';

async function open(url: string) {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  return store;
}

test.each(availableEngines())('on %s a store belongs to the workspace of its first start', async (engine) => {
  const database = await createDatabase(engine);
  onTestFinished(() => database.drop());
  await requireTeam(await open(database.url), 'TACME');
  const again = await open(database.url);
  await requireTeam(again, 'TACME');
  const refused = requireTeam(again, 'TOTHER');
  await expect(refused).rejects.toThrow(StoreError);
  await expect(refused).rejects.toThrow('belongs to the Slack workspace TACME, and SLACK_BOT_TOKEN to TOTHER');
});

test.each(availableEngines())(
  'a backup restored on %s keeps its workspace, unless it is for another one',
  async (engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'quartermaster-identity-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const source = await createDatabase('sqlite');
    onTestFinished(() => source.drop());
    await requireTeam(await open(source.url), 'TACME');
    const file = join(folder, 'backup.db');
    await takeBackup(source.url, file);
    const restored = async (isForAnotherWorkspace: boolean) => {
      const target = await createEmptyDatabase(engine);
      onTestFinished(() => target.drop());
      await restoreBackup(file, target.url, new Date(), { isForAnotherWorkspace });
      return open(target.url);
    };
    await expect(requireTeam(await restored(false), 'TOTHER')).rejects.toThrow('belongs to the Slack workspace TACME');
    await requireTeam(await restored(true), 'TOTHER');
  },
);
