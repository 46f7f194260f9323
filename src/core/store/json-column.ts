import type { z } from 'zod';

/** A column that holds JSON, as a value. @example jsonColumn(z.array(z.string())).read(row.emails) */
export const jsonColumn = <Value>(schema: z.ZodType<Value>) => ({
  read: (text: string): Value => schema.parse(JSON.parse(text)),
  /** Undefined for null, and for a value that another version stored differently. */
  readIfKnown: (text: string | null): Value | undefined =>
    text === null ? undefined : schema.safeParse(JSON.parse(text)).data,
  write: (value: Readonly<Value>): string => JSON.stringify(value),
});
