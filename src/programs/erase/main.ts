/** `npm run erase -- mia@example.com` and `npm run export -- mia@example.com`. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { systemClock } from '../../core/base/time/clock.ts';
import { describeFaults, readConfig } from '../../core/base/settings/config.ts';
import { readEnvironment } from '../../core/base/settings/environment.ts';
import { createLogger } from '../../core/base/log.ts';
import { readEmail } from '../../core/base/text/email.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import { pseudonymOf, type Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import { createScrub } from '../../core/base/privacy/scrub.ts';
import { readSlackFault } from '../../core/slack/client/errors.ts';
import { createSlackClients } from '../../core/slack/client/clients.ts';
import { trustAuthorities } from '../../core/http/authorities.ts';
import { createNetwork } from '../../core/http/network.ts';
import { requireTeam } from '../../core/store/identity.ts';
import { readIdentity, SlackStartError } from '../../core/slack/client/identity.ts';
import { openStore } from '../../core/store/database.ts';
import { StoreError } from '../../core/store/engines/store-error.ts';
import { createEraseExports } from '../../features/exports/erase.ts';
import { createErasedPeople } from '../../core/store/erased-people.ts';
import { areErasuresKnown, isStoreInUse } from '../../core/store/health/heartbeat.ts';
import type { Store } from '../../core/store/store.ts';
import { carryOut, CHECK_AFTER_MS, type ErasureDeps } from '../../features/erasure/carry-out.ts';
import {
  claimErasure,
  findErasure,
  insertErasure,
  makeErasureId,
  importErasureList,
} from '../../features/erasure/core/erasures.ts';
import { findPerson } from '../../features/erasure/core/find-person.ts';
import { ErasureListError, OPERATOR } from '../../features/erasure/core/list-file.ts';
import { findProofs } from '../../features/erasure/core/proofs.ts';
import { ownRows } from '../../features/erasure/core/own-rows.ts';
import { countRows, type RowCounts } from '../../features/erasure/core/rows.ts';
import { eraseFile } from '../../features/erasure/files.ts';
import { STORED_TABLES } from '../../features/stored-tables.ts';

const USAGE = `Give one of these:
  npm run erase -- mia@example.com                    shows what is stored of a person; erases nothing
  npm run erase -- mia@example.com --yes              erases it
                   --also 'Mia Miller'                another name of theirs; may be given several times
                   --file bot.log                     a log, a list or a backup to erase it from too; may be given several times
  npm run erase -- mia@example.com --prove            shows which pseudonyms in the audit are a person who was erased
  npm run export -- mia@example.com [FILE]            gives a person what is stored of them
`;

interface Request {
  command: 'erase' | 'export';
  email: string;
  target: string | undefined;
  also: readonly string[];
  files: readonly string[];
  isConfirmed: boolean;
  isProof: boolean;
}

function readRequest(words: readonly string[]): Request | undefined {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: {
      yes: { type: 'boolean' },
      prove: { type: 'boolean' },
      also: { type: 'string', multiple: true },
      file: { type: 'string', multiple: true },
    },
    allowPositionals: true,
  });
  const [command, typed, target, ...rest] = positionals;
  const email = readEmail(typed ?? '');
  if ((command !== 'erase' && command !== 'export') || email === undefined || rest.length > 0) return undefined;
  if (command === 'erase' && target !== undefined) return undefined;
  return {
    command,
    email,
    target,
    also: values.also ?? [],
    files: values.file ?? [],
    isConfirmed: values.yes ?? false,
    isProof: values.prove ?? false,
  };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function erase(deps: ErasureDeps & { store: Store }, request: Request): Promise<void> {
  const { db, clock } = deps;
  const identifiers = await findPerson(deps, request.email, request.also);
  describeInventory(identifiers, await countRows(deps, identifiers));
  if (!request.isConfirmed) return say('\nNothing was erased. Add --yes to erase it.');
  const id = makeErasureId(Math.random);
  await db.transaction().execute((trx) => insertErasure(trx, { id, identifiers, askedBy: OPERATOR }, clock.now()));
  const erasure = await findErasure(db, id);
  if (!erasure || !(await claimErasure(db, erasure, new Date(clock.now().getTime() + CHECK_AFTER_MS))))
    return say(`\nErasure ${id} is being carried out by Quartermaster.`);
  if (deps.isBotRunning) await waitUntilKnown(deps);
  const { rows, messages, files } = await carryOut(deps, erasure);
  say(
    `\nErasure ${id}: ${countOf(sumOf(rows, 'deleted'), 'row')} deleted, ${countOf(sumOf(rows, 'kept'), 'row')} kept without the name.`,
  );
  say(
    `Messages of Quartermaster: ${messages.edited} changed, ${messages.deleted} deleted, ${messages.unreachable} out of reach.`,
  );
  if (files > 0) say(`${countOf(files, 'exported file')} changed.`);
  if (messages.files > 0)
    say(
      `Quartermaster has uploaded ${countOf(messages.files, 'file')} to channels. They are not changed: delete those that name the person.`,
    );
  for (const file of request.files) {
    const isChanged = await eraseFile(file, deps.tables, { id, identifiers }, clock.now());
    say(`${file}: ${isChanged ? 'erased' : 'held nothing of the person'}.`);
  }
  if (deps.isBotRunning)
    say(
      'From now on no answer names the person. Quartermaster checks once more in ten minutes, and the e-mail is kept until then.',
    );
  else await compactStore(deps.store);
  say(`Keep ${deps.erasuresFile} with your backups: it erases the person again from an older one.`);
}

/** A running process reads the erasures at each beat, every 15 seconds; one of an earlier version every minute. */
const KNOWN_WITHIN_MS = 75_000;
const ASK_EVERY_MS = 1_000;

async function waitUntilKnown({ db, clock, signal }: ErasureDeps): Promise<void> {
  say('\nQuartermaster is running: waiting until it knows of the erasure …');
  const end = clock.now().getTime() + KNOWN_WITHIN_MS;
  while (clock.now().getTime() < end) {
    if (await areErasuresKnown(db)) return;
    await clock.sleep(ASK_EVERY_MS, signal);
  }
  say('A running Quartermaster does not answer. It may show the person until it reads the erasure: restart it.');
}

/** Rewrites the whole SQLite file to remove content that earlier versions deleted. Nothing else may use the store. */
async function compactStore({ db, engine }: Store): Promise<void> {
  if (engine !== 'sqlite') return;
  await sql`vacuum`.execute(db);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

const sumOf = (rows: readonly Pick<RowCounts, 'deleted' | 'kept'>[], what: 'deleted' | 'kept') =>
  rows.reduce((sum, row) => sum + row[what], 0);

function describeInventory(identifiers: Identifiers, rowCounts: readonly RowCounts[]): void {
  say(`Known as: ${Object.values(identifiers).flat().join(', ')}`);
  if (rowCounts.length === 0) return say('Nothing is stored of this person.');
  for (const { table, policy, deleted, kept } of rowCounts) {
    const parts = [
      ...(deleted > 0 ? [`${deleted} deleted`] : []),
      ...(kept > 0
        ? [`${kept} kept without the name${policy.reasonToKeep ? `, so that ${policy.reasonToKeep}` : ''}`]
        : []),
    ];
    say(`  ${table.padEnd(22)} ${policy.what}: ${parts.join('; ')}`);
  }
}

/** Prints the audit pseudonyms of an erased person, for readers who know the e-mail and have the key. */
async function prove({ db, erasureProofsFile }: ErasureDeps, { email }: Request): Promise<void> {
  const { erasures, isOtherKey } = await findProofs(db, erasureProofsFile, email);
  for (const id of erasures)
    say(`${email} was erased by erasure ${id}: in the audit this is ${pseudonymOf(id, 'slackId', 0)}.`);
  if (erasures.length === 0) say(`No proof says that ${email} was erased and had decided something.`);
  if (isOtherKey) say('Some proofs were made with another key: set ERASURE_PROOFS_FILE to it and ask again.');
}

async function exportPerson(deps: ErasureDeps, { email, target }: Request): Promise<void> {
  const identifiers = await findPerson(deps, email);
  // Only the person may read the file.
  const file = target === undefined ? undefined : openSync(target, 'wx', 0o600);
  const write = (line: object) => {
    const text = `${JSON.stringify(line)}\n`;
    if (file === undefined) process.stdout.write(text);
    else writeSync(file, text);
  };
  let count = 0;
  write({ person: identifiers, read_at: deps.clock.now().toISOString() });
  for await (const row of ownRows(deps, identifiers)) {
    write(row);
    count += 1;
  }
  if (file === undefined) return;
  fsyncSync(file);
  closeSync(file);
  say(`${countOf(count, 'row')} about ${email} ${count === 1 ? 'is' : 'are'} in ${target}.`);
}

async function run(request: Request): Promise<void> {
  const { environment, faults } = readEnvironment(process.env);
  const settings = readConfig(environment, faults);
  if (!settings.ok) {
    process.stderr.write(`${describeFaults(settings.faults)}\n`);
    process.exit(2);
  }
  const { config, secrets } = settings;
  const untrusted = trustAuthorities(config.nodeExtraCaCerts);
  if (untrusted) {
    process.stderr.write(`${describeFaults([untrusted])}\n`);
    process.exit(2);
  }
  const scrub = createScrub(Object.values(secrets).filter((value) => value !== undefined));
  const log = createLogger('warn', Object.values(secrets), (line) => void process.stderr.write(line));
  const network = createNetwork({ ...secrets, noProxy: config.noProxy });
  const store = await openStore(secrets.databaseUrl);
  try {
    const { db } = store;
    const { erasuresFile, erasureProofsFile } = config;
    const clients = createSlackClients(secrets.slackBotToken, config.slackApiUrl, log, { network });
    const { botUserId, teamId } = await readIdentity(clients.lookups);
    await requireTeam(store, teamId);
    await importErasureList(db, erasuresFile, new Date());
    const erased = createErasedPeople(db);
    const eraseElsewhere = createEraseExports(config.exports, db);
    const deps = {
      ...clients,
      db,
      store,
      clock: systemClock,
      log,
      botUserId,
      erased,
      tables: STORED_TABLES,
      erasuresFile,
      erasureProofsFile,
      eraseElsewhere,
      isBotRunning: await isStoreInUse(db),
    };
    if (request.isProof) await prove(deps, request);
    else await (request.command === 'erase' ? erase(deps, request) : exportPerson(deps, request));
  } catch (error) {
    process.stderr.write(`${scrub(sentenceOf(error))}\n`);
    process.exitCode = 1;
  } finally {
    await store.close();
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof StoreError || error instanceof SlackStartError || error instanceof ErasureListError)
    return error.message;
  const fault = readSlackFault(error);
  if (fault.kind === 'refused') return `Slack refused (${fault.code}): run npm run doctor.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

let request: Request | undefined;
try {
  request = readRequest(process.argv.slice(2));
} catch {
  // An unknown option prints the usage below.
}
if (request) await run(request);
else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
