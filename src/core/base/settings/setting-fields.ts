import { z } from 'zod';
import type { PersonReference } from '../roles.ts';
import { readEmail } from '../text/email.ts';
import { withoutTrailing } from '../text/trailing.ts';

export const required = (whatToDo: string) => z.string({ error: `is missing: ${whatToDo}` });

export const address = (whatToDo: string) =>
  required(whatToDo)
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
      error: 'is not an http(s) address such as https://example.com',
    })
    .refine((text) => !/[\s#?"'@]/.test(text), {
      error:
        'holds a space, a quote, a comment or a user name: leave the bare address, and comments on lines of their own',
    })
    .transform((text) => withoutTrailing(text, '/'));

export const channel = z
  .string()
  .regex(/^([CGUW][A-Z0-9]{2,}|#?[\p{Ll}\p{N}\p{Lo}_-]{1,80})$/u, {
    error: 'is neither a channel id such as C0123456789 nor a name such as #agent-usage',
  })
  .optional();

export function parsePeople(text: string, context: z.RefinementCtx): PersonReference[] {
  const people: PersonReference[] = [];
  for (const word of text.split(',').map((part) => part.trim())) {
    if (word === '') continue;
    const email = readEmail(word);
    if (/^[UW][A-Z0-9]{2,}$/.test(word)) people.push({ kind: 'user', id: word });
    else if (/^S[A-Z0-9]{2,}$/.test(word)) people.push({ kind: 'group', id: word });
    else if (email !== undefined) people.push({ kind: 'email', email });
    else {
      context.addIssue(
        `holds "${word}", which is neither a user id (U…), nor a user-group id (S…), nor an e-mail; separate them by commas`,
      );
    }
  }
  return people;
}

export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `is not a whole number from ${minimum} to ${maximum}` })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, {
      error: `is not a whole number from ${minimum} to ${maximum}`,
    });

const switchOf = (standard: 'true' | 'false') =>
  z
    .enum(['true', 'false'], { error: 'is neither true nor false' })
    .default(standard)
    .transform((text) => text === 'true');
export const yesOrNo = switchOf('false');
export const onUnlessFalse = switchOf('true');

export const role = z.enum(['member', 'manager', 'admin'], { error: 'is none of member, manager, admin' });

/**
 * An address in a line that people paste into a shell. An operator may write it with the path, which is removed.
 *
 * @example pastedAddress('/mcp', 'https://bot.example.com').parse('https://bot.example.com/mcp') // 'https://bot.example.com'
 */
export const pastedAddress = (path: string, example: string) =>
  address('')
    .refine((text) => /^[\w:/.[\]-]+$/.test(text), {
      error: `holds a sign that a shell reads as its own: leave the bare address, such as ${example}`,
    })
    .transform((text) => (text.endsWith(path) ? text.slice(0, -path.length) : text));

const MAX_PROXY_LENGTH = 2_048;

/**
 * The address of a proxy, with its login if it has one, and without a path. As elsewhere, `proxy:3128` is meant as http.
 * The sentences never quote it.
 *
 * @example proxyAddress.parse('me:pa%40ss@proxy.example.com:3128') // 'http://me:pa%40ss@proxy.example.com:3128/'
 */
export const proxyAddress = z
  .string()
  .max(MAX_PROXY_LENGTH, { error: 'is too long for the address of a proxy' })
  .transform((text, context) => {
    const address = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ? text : `http://${text}`;
    const problem = problemOfProxy(address);
    if (problem === undefined) return new URL(address).href;
    context.addIssue(problem);
    return z.NEVER;
  });

function problemOfProxy(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && !/^https?:$/.test(url.protocol)) return 'is neither http:// nor https://: SOCKS is not supported';
  if (!url || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return 'is not the address of a proxy such as http://proxy.example.com:3128; signs such as @, / and # in its login must be escaped';
  return isEscaped(url.username) && isEscaped(url.password)
    ? undefined
    : 'holds a % in its login that begins no escape: write it as %25';
}

function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
