import { formatNumber } from '../../../core/base/text/numbers.ts';
import type { Block } from '../../../core/slack/blocks/blocks.ts';
import { fileInput, MAX_TYPED_TEXT_LENGTH, textInput } from '../../../core/slack/blocks/inputs.ts';
import type { FormState } from '../../../core/slack/blocks/views.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { MAX_IMPORT_LINES, type ReadList } from './parse.ts';

export type ListSource = { kind: 'text'; text: string } | { kind: 'file'; fileId: string };

/** A list of e-mails with limits can be typed or uploaded. */
export const listFields = (list: string, texts: { label: string; hint: string; fileLabel: string }): Block[] => [
  textInput({
    id: 'list',
    label: texts.label,
    hint: texts.hint,
    isOptional: true,
    isMultiline: true,
    placeholder: 'mia@acme.example,5m',
    // A cut list would be a different list.
    initial: list.length > MAX_TYPED_TEXT_LENGTH ? undefined : list,
  }),
  fileInput({ id: 'file', label: texts.fileLabel, hint: 'CSV or text.', isOptional: true, fileTypes: ['csv', 'txt'] }),
];

export function readListFields(state: FormState): { source: ListSource; isEmpty: boolean; isTwice: boolean } {
  const text = state.text('list');
  const [fileId] = state.files('file');
  if (fileId === undefined) return { source: { kind: 'text', text }, isEmpty: text === '', isTwice: false };
  return { source: { kind: 'file', fileId }, isEmpty: false, isTwice: text !== '' };
}

/** Room for 5,000 lines with e-mails of the greatest length. */
const MAX_BYTES = 2_000_000;

export async function textOf(
  { files }: Pick<LimitDeps, 'files'>,
  source: ListSource,
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
