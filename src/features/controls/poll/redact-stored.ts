import { digestOfJson } from '../../../core/platform/redaction/json.ts';
import { FIRST_ID_OF_VERSION } from '../../../core/platform/redaction/redact.ts';
import type { Job } from '../../../core/schedule/job.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { renameInRevision, settingsColumn, settingsOf, tablesIn, tablesInTransaction } from '../core/revisions.ts';

/** Each takes a few milliseconds, however large the settings are. */
const AT_ONCE = 25;

/** Stored revisions of an earlier version may show content that is now hidden: some are redacted again each minute. */
export const redactStoredJob = ({ db, platform }: Pick<ControlsDeps, 'db' | 'platform'>): Job => ({
  name: 'redact-stored-revisions',
  cron: '* * * * *',
  purpose: 'redacts revisions that an earlier version stored',
  run: async () => {
    const rows = await tablesIn(db)
      .selectFrom('revisions')
      .selectAll()
      // A revision that was redacted again has the id with a minus sign, also after the next version.
      .where('redaction', '>', -FIRST_ID_OF_VERSION)
      .where('redaction', '<', FIRST_ID_OF_VERSION)
      .orderBy('revision', 'desc')
      .limit(AT_ONCE)
      .execute();
    for (const row of rows) {
      const { settings, redaction } = platform.controls.redactStored(settingsOf(row));
      const after = { ...row, settings: settingsColumn.write(settings), digest: digestOfJson(settings), redaction };
      await db.transaction().execute((trx) => renameInRevision(tablesInTransaction(trx), row, after));
    }
  },
});
