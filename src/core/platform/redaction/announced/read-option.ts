import { isFirstInQuote, note, REFERENCE, type Atom, type Scan } from './reading-state.ts';
import { announcesSecret, isSecretName, isSoftName } from '../secret-names.ts';
import { isHeaderOption, readOption } from './secret-options.ts';
import { endOfQuote, endOfRest, endOfWord } from './value-extent.ts';

/** `--token`, `--token=abc`, `-phunter2` */
export function readOptionWord({ start }: Atom, scan: Scan): number | undefined {
  const { text, reading, isStrict, quotes } = scan;
  if (!/[-/]/.test(text.charAt(start)) || /[\w-]/.test(text.charAt(start - 1))) return undefined;
  const shape = /^(?:--?|\/)[A-Za-z][\w.-]{0,80}/.exec(text.slice(start, start + 90));
  if (!shape) return undefined;
  const [option] = shape;
  const end = start + option.length;
  const reads = readOption(option, reading);
  if (option.startsWith('/') && reads === undefined) return undefined;
  const sign = /^[=:]$/.test(text.charAt(end));
  note(option, reading);
  if (reads?.kind === 'harmless') return end;
  if (reads?.attachedAt !== undefined && !isHeaderOption(option)) {
    const from = start + reads.attachedAt + (/^[=:]$/.test(text.charAt(start + reads.attachedAt)) ? 1 : 0);
    const to = isFirstInQuote(start, scan)
      ? endOfRest(text, start, quotes.at(-1))
      : endOfWord(text, start, quotes.at(-1));
    if (to > from) hideAttached(from, to, scan);
    return Math.max(to, end);
  }
  if (reads?.kind === 'secret' && /^-p$/.test(option) && isPort(text.slice(end))) return end;
  if (isHeaderOption(option) && (sign || isHeaderNext(option, end, scan))) {
    reading.expected = { kind: 'header', name: option, isRest: false };
    return sign ? end + 1 : end;
  }
  const isLast = start > 0 && end >= text.length;
  const isFlag = !sign && (FLAG.test(option) || (isLast && isSoftName(option)));
  const isSecret = isStrict ? isSecretName(option) : announcesSecret(option) && !isFlag;
  const isUser = /^(?:-[up]|--user(?:name)?)$/.test(option) && reading.program === undefined && reads === undefined;
  const isPairValue = reading.isPair && /^--?value$/i.test(option);
  if (/^--?name$/i.test(option))
    reading.isPair = /^[ =]["']?([\w./-]+)/.exec(text.slice(end))?.[1] !== undefined && isNamed(text.slice(end));
  if (reads?.kind !== 'secret' && !isSecret && !isUser && !isPairValue) return end;
  reading.expected = { kind: isUser ? 'user' : 'value', name: option, isRest: sign && isFirstInQuote(start, scan) };
  return end;
}

/** Options about secrets that take no value: `--ask-pass`, `--no-auth`. */
const FLAG =
  /^--?(?:private$|(?:ask|no|with|without|enable|disable|require|skip|allow|prompt|list|show|generate|rotate|revoke|export|check|verify)-)/;

const isNamed = (rest: string) => announcesSecret(/^[ =]["']?([\w./-]{1,80})/.exec(rest)?.[1] ?? '');

/** `-p` of some programs is a port. */
const isPort = (rest: string) => /^\s{1,3}\d{1,5}(?::\d{1,5})?(?=$|[\s"'])/.test(rest);

/** `grep -H` takes no header, so the short option counts only before something that looks like one. */
function isHeaderNext(option: string, end: number, { text, reading }: Scan): boolean {
  if (option !== '-H') return true;
  const isOfClient = reading.program === 'curl' && end < text.length;
  return (
    isOfClient ||
    (end >= text.length && end === option.length) ||
    /^\s{1,3}\\?["'`]?[A-Za-z][\w-]{0,60}:/.test(text.slice(end, end + 80))
  );
}

function hideAttached(from: number, to: number, scan: Scan): void {
  const { text } = scan;
  const quote = /^["'`]$/.test(text.charAt(from)) ? text.charAt(from) : '';
  const close = quote === '' ? to : Math.max(to, endOfQuote(text, from + 1, quote));
  if (REFERENCE.test(text.slice(from + quote.length, close))) return;
  scan.ranges.push([from, close]);
}
