import type { BlockMessage } from '../../slack/blocks/blocks.ts';
import { markup } from '../../base/text/markup.ts';
import type { JsonObject } from '../../platform/redaction/json.ts';
import { diffButton, settingsButton } from '../core/buttons.ts';
import { diffClassified } from '../diff/diff.ts';
import { fullLines, MARKS_EXPLAINED, summaryOf } from '../notices/lines.ts';
import { pageMessage } from './pages.ts';

export function diffMessage(
  from: { revision: number | null; settings: JsonObject },
  to: { revision: number; settings: JsonObject },
  page: number,
): BlockMessage {
  const changes = diffClassified(from.settings, to.settings);
  const start =
    from.revision === null
      ? markup`Up to revision ${to.revision}`
      : markup`From revision ${from.revision} to ${to.revision}`;
  const lines = changes.flatMap((change) => fullLines(change));
  const isMarked = changes.some(({ verdict }) => verdict);
  return pageMessage({
    title: markup`*${start}:* ${summaryOf(changes)}`,
    lines: [...(lines.length > 0 ? lines : [markup`No visible differences.`]), ...(isMarked ? [MARKS_EXPLAINED] : [])],
    page,
    turn: (other, text) => diffButton(from.revision, to.revision, other, text),
    buttons: [settingsButton(to.revision), ...(from.revision === null ? [] : [settingsButton(from.revision)])],
  });
}
