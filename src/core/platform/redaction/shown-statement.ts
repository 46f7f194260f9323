import { startReading } from './announced/reading-state.ts';
import { showText } from './shown-text.ts';

const MAX_LENGTH = 200;
/** Longer texts are cut before they are read, since each word takes time. */
const MAX_READ = 2_000;
const HIDDEN = '‹hidden›';
const ADDRESS = /[^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:]{1,255}/g;

/**
 * The reason for a refusal, as the platform states it, for people: one line, without secrets and e-mails. Undefined if
 * nothing is left.
 *
 * @example showStatement('enterprise_required: see your plan') // 'enterprise_required: see your plan'
 */
export function showStatement(text: string): string | undefined {
  const oneLine = text.slice(0, MAX_READ).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  const reading = startReading();
  const visible = showText(oneLine, { hide: () => HIDDEN, reading, isStrict: false }).replaceAll(ADDRESS, HIDDEN);
  if (visible.replaceAll(HIDDEN, '').trim() === '') return undefined;
  return visible.length > MAX_LENGTH ? `${visible.slice(0, MAX_LENGTH).toWellFormed()}…` : visible;
}
