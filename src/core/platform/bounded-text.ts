import { z } from 'zod';

export const MAX_LABEL_LENGTH = 500;
const MAX_TEXT_LENGTH = 20_000;
const MAX_MESSAGE_LENGTH = 1_000_000;

/** `overwrite` takes a fifth of the time of `transform`, and a large organization has millions of these texts. */
const bounded = (length: number) =>
  z.string().overwrite((text) => (text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text));

/** A name, id or word of the platform. A long one is cut on arrival, so that no message or table has to do it. */
export const label = bounded(MAX_LABEL_LENGTH);

/** A description, a rationale, an error. */
export const longText = bounded(MAX_TEXT_LENGTH);

/** Text of a session, including outputs of tools. */
export const messageText = bounded(MAX_MESSAGE_LENGTH);
