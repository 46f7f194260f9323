/** `npm run backup -- FILE`, `npm run restore -- FILE` and `npm run migrate -- --to postgres://…`. */
import { parseArgs } from 'node:util';
import { readDatabaseUrl } from '../../core/base/settings/config.ts';
import { readEnvironment } from '../../core/base/settings/environment.ts';
import { createScrub } from '../../core/base/privacy/scrub.ts';
import { describeLocation, StoreError } from '../../core/store/engines/store-error.ts';
import { migrateStore, restoreBackup, takeBackup } from './backup.ts';

const USAGE = `Give one of these:
  npm run backup -- FILE                   copies the store of DATABASE_URL into a file, also while Quartermaster runs
  npm run restore -- FILE                  puts that file into the store of DATABASE_URL, which must be empty;
                                           with --new-workspace for another Slack workspace than before
  npm run migrate -- --to postgres://…     copies the SQLite store of DATABASE_URL into an empty Postgres
`;

const rows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;

/** @returns the message for the operator, or undefined if the words were not understood */
async function run(databaseUrl: string, words: readonly string[]): Promise<string | undefined> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { to: { type: 'string' }, 'new-workspace': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [command, file, ...rest] = positionals;
  if (rest.length > 0) return undefined;
  const location = describeLocation(databaseUrl);
  if (command === 'backup' && file)
    return `${rows(await takeBackup(databaseUrl, file))} of ${location} are in ${file}.`;
  if (command === 'restore' && file) {
    const isForAnotherWorkspace = values['new-workspace'];
    const restored = rows(await restoreBackup(file, databaseUrl, new Date(), { isForAnotherWorkspace }));
    return `${restored} of ${file} are in ${location}. Start Quartermaster now.`;
  }
  if (command !== 'migrate' || !values.to || file) return undefined;
  const moved = rows(await migrateStore(databaseUrl, values.to, new Date()));
  return `${moved} of ${location} are in ${describeLocation(values.to)}. Set DATABASE_URL to that address and start Quartermaster; never start it on ${location} again.`;
}

const { environment, faults } = readEnvironment(process.env);
const setting = readDatabaseUrl(environment['DATABASE_URL']);
const databaseFaults = [
  ...faults.filter(({ name }) => name.startsWith('DATABASE_URL')),
  ...(setting.ok ? [] : setting.faults),
];
if (!setting.ok || databaseFaults.length > 0) {
  process.stderr.write(`${databaseFaults.map(({ name, sentence }) => `${name} ${sentence}.`).join('\n')}\n`);
  process.exit(2);
}
try {
  const outcome = await run(setting.value, process.argv.slice(2));
  if (outcome === undefined) process.stderr.write(USAGE);
  else process.stdout.write(`${outcome}\n`);
  process.exitCode = outcome === undefined ? 2 : 0;
} catch (error) {
  const isUnderstood = error instanceof StoreError;
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const message = isUnderstood
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(isUsage ? USAGE : `${createScrub([setting.value])(message)}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
