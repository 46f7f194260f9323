import { markup } from '../base/text/markup.ts';
import type { Interaction } from '../slack/interactions.ts';
import { withoutFingerprints } from '../platform/redaction/marks.ts';
import { answerWithFile } from '../slack/outbound/file-answer.ts';
import { plainMessage } from '../slack/blocks/messages.ts';
import type { ControlsDeps } from './core/deps.ts';
import { reachRevision } from './poll/backfill.ts';
import { settingsOf } from './core/revisions.ts';

/** Sends the settings at a revision as a file, by direct message: a channel has not asked for it. */
export async function sendJson(deps: ControlsDeps, revision: number, interaction: Interaction): Promise<void> {
  const row = await reachRevision(deps, revision);
  if (!row) return interaction.reply.add(plainMessage(`Revision ${revision} is no longer in the history.`));
  const { user_name: name, user_email: email, changed_at: updatedAt } = row;
  const content = { revision: row.revision, updatedAt, user: { name, email }, settings: settingsOf(row) };
  await answerWithFile(deps.files, interaction, {
    name: `enterprise-controls-${row.revision}.json`,
    title: `Enterprise controls, revision ${row.revision}`,
    content: withoutFingerprints(JSON.stringify(content, null, 2)),
    comment: markup`The enterprise controls at revision ${row.revision}. Secrets are left out.`,
  });
}
