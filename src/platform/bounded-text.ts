import { z } from 'zod';

const MAX_LABEL_LENGTH = 500;
const MAX_TEXT_LENGTH = 20_000;
const MAX_MESSAGE_LENGTH = 1_000_000;

const bounded = (length: number) =>
  z.string().transform((text) => (text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text));

/**
 * A name, an id or a word of the platform's. Longer than anybody would read, it is cut before anything looks into it, so that
 * no pattern, message or table has to cope with it.
 */
export const label = bounded(MAX_LABEL_LENGTH);

/** What people wrote: a description, a rationale, an error. */
export const longText = bounded(MAX_TEXT_LENGTH);

/** What was said in a session, outputs of tools among it. */
export const messageText = bounded(MAX_MESSAGE_LENGTH);
