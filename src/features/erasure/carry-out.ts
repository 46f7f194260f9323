import type { Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import type { TablePolicies } from '../../core/store/table-policy.ts';
import type { ErasedPeople } from '../../core/store/erased-people.ts';
import type { Services } from '../../core/services.ts';
import { checkAgain, finishErasure, identifiersOf, storeIdentifiers, toListed, type Erasure } from './core/erasures.ts';
import { findByHashes } from './core/find-person.ts';
import { addToList } from './core/list-file.ts';
import { keepProof } from './core/proofs.ts';
import { hasDecided } from './core/protection.ts';
import { createReplace } from '../../core/base/privacy/replace-identifiers.ts';
import { eraseRows, type RowCounts } from './core/rows.ts';
import { overwriteHome } from './own-home.ts';
import { eraseOwnMessages, type ErasedMessages, type OwnMessagesDeps } from './own-messages.ts';

export interface ErasureDeps extends OwnMessagesDeps {
  erased: ErasedPeople;
  tables: TablePolicies;
  erasuresFile: string;
  erasureProofsFile: string;
  /** Erases a person from files that other features wrote. @returns the number of files */
  eraseElsewhere: (id: string, identifiers: Identifiers) => Promise<number>;
  /** Whether data of the person may be on its way into the store: then the store is checked a second time. */
  isBotRunning: boolean;
}

export type ErasureServices = Pick<
  Services,
  'config' | 'db' | 'clock' | 'log' | 'random' | 'erased' | 'people' | 'replica'
> &
  Pick<ErasureDeps, 'lookups' | 'posting' | 'botUserId' | 'tables' | 'eraseElsewhere'>;

export interface ErasureOutcome {
  rows: Omit<RowCounts, 'policy'>[];
  messages: ErasedMessages;
  files: number;
}

/** The data that a running process had begun to read is stored by then, and found. */
export const CHECK_AFTER_MS = 10 * 60_000;

/**
 * Carries out an erasure. Every step can be repeated, so an interrupted erasure starts again.
 *
 * The list comes first: a person who is missing there would come back with the next restored backup. Then come messages, which
 * are found through the rows; then the rows.
 *
 * @throws ErasureListError with one sentence for the operator
 */
export async function carryOut(deps: ErasureDeps, erasure: Erasure): Promise<ErasureOutcome> {
  const { db, clock, log, erased } = deps;
  const { id } = erasure;
  addToList(deps.erasuresFile, toListed(erasure));
  await erased.refresh();
  const identifiers = identifiersOf(erasure) ?? (await findByHashes(deps, toListed(erasure).pseudonyms));
  if (erasure.identifiers === null) {
    await storeIdentifiers(db, id, identifiers);
    await erased.refresh();
  }
  await overwriteHome(deps, identifiers.slackId);
  if (await hasDecided(db, identifiers))
    await keepProof(db, deps.erasureProofsFile, { id, emails: identifiers.email }, clock.now());
  const messages = await eraseOwnMessages(deps, identifiers.slackId, createReplace(id, identifiers));
  const files = await deps.eraseElsewhere(id, identifiers);
  const rows = await eraseRows(deps, id, identifiers, clock.now());
  if (erasure.state === 'asked' && deps.isBotRunning)
    await checkAgain(db, id, new Date(clock.now().getTime() + CHECK_AFTER_MS));
  else await finishErasure(db, id, clock.now());
  log.info({ erasure: id, rows: rows.length, ...messages, exportedFiles: files }, 'Erased the data of a person');
  return { rows, messages, files };
}
