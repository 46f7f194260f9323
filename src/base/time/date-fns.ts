import { createRequire } from 'node:module';
import type * as DateFns from 'date-fns';

/**
 * The functions of `date-fns` that are used here. As an ES module the package takes two seconds and 300 MB to load
 * (Node reads its package.json, 199 KB, again for each of its thousand modules); as a CommonJS module it takes a tenth
 * of a second. A test ensures that no other file imports it.
 *
 * @see https://date-fns.org/docs/Getting-Started
 */
const dateFns: typeof DateFns = createRequire(import.meta.url)('date-fns');

export const { addDays, format, getISODay, isValid, parse, startOfISOWeek, subMinutes } = dateFns;
