import type { BlockMessage } from '../../slack/blocks/blocks.ts';
import { markup, readerTime } from '../../base/text/markup.ts';
import { diffButton, jsonButton, settingsButton } from '../core/buttons.ts';
import { valueLines } from '../diff/text.ts';
import { authorOf, settingsOf } from '../core/revisions.ts';
import type { RevisionRow } from '../core/tables.ts';
import { pageMessage } from './pages.ts';

/** Every member of the settings at a revision. Secrets were never kept. */
export function settingsMessage(row: RevisionRow, page: number): BlockMessage {
  const lines = Object.entries(settingsOf(row))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) => valueLines([name], value));
  const at = readerTime(new Date(row.changed_at));
  return pageMessage({
    title: markup`*Settings at revision ${row.revision}*, by ${authorOf(row)}, ${at}. Secrets are hidden.`,
    lines: lines.length > 0 ? lines : [markup`No settings.`],
    page,
    turn: (other, text) => settingsButton(row.revision, other, text),
    buttons: [jsonButton(row.revision), diffButton(row.previous, row.revision, 0, 'What it changed')],
  });
}
