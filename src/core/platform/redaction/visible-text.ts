import { startReading } from './announced/reading-state.ts';
import { MAX_JUDGED_LENGTH, looksLikeToken } from './secret-patterns.ts';
import { showText } from './shown-text.ts';

const HIDDEN = '‹hidden›';

/**
 * A text of the platform for people, such as an error that may quote a command: each secret in it is hidden.
 *
 * @example withoutSecrets('git clone https://me:abc@git.acme.example failed') // 'git clone https://‹hidden›@git.…'
 */
export function withoutSecrets(text: string): string {
  const judged = text.slice(0, MAX_JUDGED_LENGTH).toWellFormed();
  const visible = showText(judged, { hide: () => HIDDEN, reading: startReading(), isStrict: false });
  return looksLikeToken(visible) ? HIDDEN : visible;
}
