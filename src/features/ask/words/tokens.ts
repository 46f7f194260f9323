import { readEmail, straightenApostrophes } from '../../../core/base/text/email.ts';

/** One word of a question. References, e-mails, dates and amounts are one word each. */
export interface Token {
  /** Lower case, without apostrophes: `dana's` is `danas`. */
  word: string;
  /** As it was typed, for names whose case counts. */
  typed: string;
  /** `dana` for `dana's` and `Dana`. */
  stem: string;
}

// Characters that can't be seen change no meaning, and a pasted question often has them.
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu;
const TYPOGRAPHIC: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
  [/[→⇒]/g, ' to '],
  [/…/g, '. '],
  [/(?<![\d-])(\d{1,2})-(\d{1,2})(?= +[a-z])/gi, '$1 to $2'],
];

/** What is one word, in this order. Each is tried where a word begins. */
export const WORD = new RegExp(
  [
    /<mailto:[^<>|\s]{1,320}(?:\|[^<>]{0,320})?>/iu,
    /<[@#!][^<>|]{1,100}(?:\|[^<>]{0,100})?>/iu,
    /<https?:\/\/[^<>|\s]{1,300}(?:\|[^<>]{0,300})?>/iu,
    /[^\s@<>,;:!?"()]{1,64}@[^\s@<>,;:!?"().]{1,64}(?:\.[^\s@<>,;:!?"().]{1,64}){1,5}/iu,
    /[@#][\p{L}\p{N}][\p{L}\p{N}._-]{0,80}/iu,
    /\d{4}-\d{2}-\d{2}(?:\.\.\d{4}-\d{2}-\d{2})?|\d{4}\/\d{2}\/\d{2}/,
    /\d{4}-\d{2}(?!\d)/,
    /\d{1,2}:\d{2}(?:-\d{1,2}:\d{2})?/,
    /\d{1,9}(?:\.\d{1,9})?%/,
    /\d{1,9}(?:[.,'_]\d{1,9}){1,6}[kmb]?(?![\p{L}\p{N}])/iu,
    /\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?![\p{L}\p{N}])/u,
    /w\/o?(?![\p{L}\p{N}])/iu,
    /[\p{L}\p{N}_.-]{1,80}\/[\p{L}\p{N}_.-]{1,80}/iu,
    /[\p{L}\p{N}_]{1,80}(?:[.'-]{1,3}[\p{L}\p{N}_]{1,80}){0,8}'?/iu,
    /[+&-]/,
    /[^\s,.;:!?"()'/]/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** Longer texts are cut; a message of this length is refused before. */
const MAX_LENGTH = 400;

export function tokensOf(text: string): Token[] {
  let plain = text
    .toWellFormed()
    // As Slack escapes them; a typed angle bracket means nothing in a question, and must never begin a reference.
    .replaceAll('&amp;', '&')
    .replaceAll(/&[lg]t;/g, ' ')
    .normalize('NFKC')
    .replace(/[\r\n\t]+/g, ' ')
    .replace(INVISIBLE, '');
  plain = straightenApostrophes(plain);
  for (const [sign, replacement] of TYPOGRAPHIC) plain = plain.replace(sign, replacement);
  return [...plain.slice(0, MAX_LENGTH).matchAll(WORD)].map(([typed]) => tokenOf(withoutEnd(typed)));
}

/** A full stop ends a sentence and no name. */
const withoutEnd = (typed: string) => (/^<|[^.-]$|^-$/.test(typed) ? typed : typed.replace(/[.-]{1,3}$/, ''));

function tokenOf(typed: string): Token {
  const email = typed.includes('@') ? readEmail(typed.replace(/'s$/i, '')) : undefined;
  if (email !== undefined) return { word: email, typed: email, stem: email };
  if (/^<[@#!]/.test(typed)) {
    const [name = ''] = typed.split('|', 1);
    const reference = name.endsWith('>') ? name : `${name}>`;
    return { word: reference, typed: reference, stem: reference };
  }
  const address = /^<https?:\/\/([^<>|]+)/i.exec(typed)?.[1];
  if (address !== undefined) return { word: address.toLowerCase(), typed: address, stem: address.toLowerCase() };
  const lower = typed.toLowerCase();
  return { word: lower.replaceAll("'", ''), typed, stem: lower.replace(/'s?$/, '').replaceAll("'", '') };
}
