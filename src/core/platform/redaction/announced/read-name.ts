import { wordsIn } from '../../../base/text/word-list.ts';
import { isAction, isHarmlessWord } from '../harmless.ts';
import { isFirstInQuote, note, type Atom, type Scan } from './reading-state.ts';
import { announcesSecret, endsAsSecret, isCompound, isSecretName, isSoftName } from '../secret-names.ts';
import { isWrapper, programOf } from './secret-options.ts';

const SIGN_AFTER = /^(\\?["'`]\]?)?(\s{0,3})([:?+]?=>?|:)(?!\/\/)/;

/** `DB_PASS=abc`, `"token": "abc"`, `password = abc`, `$env:API_KEY = "abc"` */
export function readName(atom: Atom, scan: Scan): number | undefined {
  const { text, reading, isStrict, quotes } = scan;
  const end = atom.start + atom.text.length;
  const [, quote = '', space = '', sign = ''] = SIGN_AFTER.exec(text.slice(end, end + 10)) ?? [];
  if (sign === '') return undefined;
  const name = /[\w$.-]{1,80}$/.exec(atom.text.slice(-80))?.[0] ?? '';
  const at = end + quote.length + space.length + sign.length;
  const isSpaced = /\s/.test(text.charAt(at));
  if (/^(?:name|key|variable|parameter-?name)$/i.test(name)) {
    const [before = '', value = ''] = /^\s{0,3}["']?([\w./-]{1,80})/.exec(text.slice(at, at + 90)) ?? [];
    if (announcesSecret(value) && isCompound(value)) {
      reading.isPair = true;
      if (quote !== '' && !/^key$/i.test(name)) quotes.pop();
      // The value of `key` may be the secret itself.
      if (!/^key$/i.test(name)) return at + before.length;
    }
  }
  const isPairValue = reading.isPair && /^(?:value|val|default|content)$/i.test(name);
  const isSecret = isStrict ? isSecretName(name) : announcesSecret(name);
  if (!isSecret && !isPairValue) return undefined;
  if (!isStrict && isSoftAssignment(name, sign, text.slice(at, at + 40), reading.words)) return undefined;
  if (quote !== '' && scan.quotes.at(-1) === quote.replace(']', '')) scan.quotes.pop();
  const isQuoted = quote === '' && isFirstInQuote(atom.start, scan);
  const isLine = quote === '' && isSpaced && (sign === ':' || space !== '');
  reading.expected = { kind: 'value', name, isRest: isQuoted || isLine || (quote === '' && quotes.length > 0) };
  return at;
}

/** `npm run token:refresh`, `artisan key:generate` */
const isSoftAssignment = (name: string, sign: string, rest: string, words: readonly string[]) =>
  sign === ':' &&
  !isCompound(name) &&
  (isAction(/^([a-z]+)(?=$|[\s:"',-])/.exec(rest)?.[1] ?? '') ||
    (isSoftName(name) && /^ ?[a-z_:-]+(?=$|[\s"'])/.test(rest) && words.some((word) => TASKS.has(word))));

/** `npm run auth:dev`, `git commit -m "auth: …"` */
const TASKS = wordsIn('run commit bazel rails rake artisan gradlew ./gradlew task just');

/** Programs that take names of variables, and never their values. */
const READERS =
  /^(?:e?f?grep|rg|ag|ack|unset|printenv|sed|awk|find|cd|ls|cat|less|head|tail|wc|man|which|mkdir|touch)$/;
const SETTERS = /^(?:setx?|setenv|setvar|set-item|config(?:ure)?|export|env|put|\w{1,20}:set|set\w{1,40}variable)$/i;

/** `setx API_KEY abc`, `curl -u` */
export function readWord({ text: word, start }: Atom, scan: Scan): number {
  const { reading, text, isStrict } = scan;
  const end = start + word.length;
  if (/[^\s"'`(;|&=:,[{]/.test(text.charAt(start - 1))) return end;
  const before = reading.words.at(-1) ?? '';
  const program = programOf(word);
  if (program !== undefined && (!before.startsWith('-') || reading.program === undefined)) reading.program = program;
  if (isWrapper(word)) reading.program = program;
  if (/^bearer$/i.test(word) && text.charAt(end) !== ':') {
    reading.expected = { kind: 'value', name: 'auth', isRest: false };
  } else if (
    /^basic$/i.test(word) &&
    /^\s{1,3}(?=[a-zA-Z+/]{0,40}(?:\d|=|[a-z][A-Z]))[\w+/=]{6}/.test(text.slice(end, end + 60))
  ) {
    reading.expected = { kind: 'value', name: 'authorization', isRest: false };
  } else if (isNextSecret(word, end, scan)) {
    reading.expected = { kind: 'value', name: isStrict ? 'password' : word, isRest: scan.quotes.length > 0 };
  }
  note(word, reading);
  return end;
}

/** Whether the word is the name of the next one. */
function isNextSecret(word: string, end: number, { text, reading, isStrict }: Scan): boolean {
  if (!isSecretName(word)) return false;
  const isSet = reading.words.slice(-4).some((one) => SETTERS.test(one));
  const name = isSet ? word.slice(word.lastIndexOf('/') + 1) : word.replace(/^[$/]{1,2}/, '');
  if (word.length > 60 || /[/@*~%]/.test(name) || !/^["'`]?(?:,?\s|$|",|',)/.test(text.slice(end, end + 3)))
    return false;
  const isAlone = !/\s/.test(text.trim());
  if (isStrict && isAlone) return isSecretName(word);
  const { words } = reading;
  const command = words.find((one) => !isWrapper(one)) ?? '';
  if (
    READERS.test(command) ||
    READERS.test(words[1] ?? '') ||
    /^(?:-e|--env|-u|-m|--message|--name)$/.test(words.at(-1) ?? '')
  )
    return false;
  const next = /^["'`]?,?\s{0,3}["'`]?([^\s"'`]{0,80})/.exec(text.slice(end, end + 90))?.[1] ?? '';
  if (/^\.{1,2}\//.test(next) || isAction(next) || isHarmlessWord(next) || (next === '' && !isAlone)) return false;
  if (/^--?value$/i.test(next)) {
    reading.isPair ||= announcesSecret(name) && endsAsSecret(name);
    return false;
  }
  if (isSet && announcesSecret(name) && endsAsSecretWord(name)) return true;
  if (/^(?:password|passwd|passphrase|passcode|apikey|authtoken)$/i.test(name))
    return words.some((one) => !isWrapper(one)) || !/^passwd$/.test(name);
  if (/^pass(?:word)?$/i.test(name) && words.some((one) => /^(?:user|login|username)$/i.test(one))) return true;
  if (!isCompound(name) || isAction(/^[a-z]*/.exec(name)?.[0] ?? '') || !endsAsSecret(name) || name.includes('.'))
    return false;
  return (
    !name.includes('-') || /(?:api|auth|access|private|client|bot|bearer|session)-(?:key|token|secret)$/i.test(name)
  );
}

const endsAsSecretWord = (name: string) => endsAsSecret(name) || /(?:token|secret|password|key)$/i.test(name);
