import { z } from 'zod';

const LONGEST_LABEL = 500;
const LONGEST_TEXT = 20_000;
const LONGEST_MESSAGE = 1_000_000;

const bounded = (length: number) =>
  z.string().transform((text) => (text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text));

/**
 * A name, an id or a word of the platform's. Longer than anybody would read, it is cut before anything looks into it, so that
 * no pattern, message or table has to cope with it.
 */
export const label = bounded(LONGEST_LABEL);

/** What people wrote: a description, a rationale, an error. */
export const longText = bounded(LONGEST_TEXT);

/** What was said in a session, outputs of tools among it. */
export const messageText = bounded(LONGEST_MESSAGE);
