import { formatNumber } from '../../base/text/numbers.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import type { ImportSource } from './import-form.ts';
import { MAX_IMPORT_LINES, type ReadList } from './parse.ts';

/** Room for 5,000 lines with e-mails of the greatest length. */
const MAX_BYTES = 2_000_000;

export async function textOf(
  { files }: Pick<LimitDeps, 'files'>,
  source: ImportSource,
): Promise<{ content: string } | { problem: string }> {
  if (source.kind === 'text') return { content: source.text };
  const file = await files.read(source.fileId, MAX_BYTES);
  if (file.kind === 'refused') return { problem: file.sentence };
  const content = file.content.toString('utf8');
  // A spreadsheet or archive is not text.
  return content.includes('\u0000') ? { problem: 'This file is not text. Save it as CSV first.' } : { content };
}

export function problemOf({ count }: ReadList): string | undefined {
  if (count === 0) return 'This list holds nothing.';
  if (count > MAX_IMPORT_LINES)
    return `This list has ${formatNumber(count)} lines; at most ${formatNumber(MAX_IMPORT_LINES)} go into one. Split it.`;
  return undefined;
}
