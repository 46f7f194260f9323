/** Spaces of every width, apostrophes and underscores only ever separate groups of digits. */
const GROUP_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Zs}\t]+/gu, ' '],
  [/['’‘ʼ´`′_]/g, "'"],
];
/** Characters without a width, such as a zero-width space, are in texts that were copied from a web page. */
const INVISIBLE = /\p{Cf}/gu;

const MAX_WHOLE_DIGITS = 15;
const MAX_DECIMALS = 9;

/**
 * The decimals that a text of digits and signs can mean, as `1250.5`. None if it is no number without a sign.
 *
 * A point or a comma separates groups or decimals, depending on the country. Both readings are returned if neither is
 * ruled out: a group has three digits and never follows a leading zero, all groups have the same sign, and a point never
 * separates groups before the letter of a million. A comma before three digits separates a group, as in every number
 * that the bot shows, unless a letter follows.
 *
 * @example readDecimals('1,250', false) // ['1250']; readDecimals('1.250', false) // ['1250', '1.250']
 *
 * @param hasUnit whether a letter such as `m` follows
 */
export function readDecimals(text: string, hasUnit: boolean): string[] {
  let plain = text.replaceAll(INVISIBLE, '');
  for (const [sign, replacement] of GROUP_SIGNS) plain = plain.replaceAll(sign, replacement);
  plain = plain.trim();
  const grouped = readGroups(plain);
  const decimal = readFraction(plain);
  if (grouped === undefined) return decimal === undefined ? [] : [decimal];
  if (decimal === undefined) return [grouped];
  const isOnlySign = /^\d+[.,]\d+$/.test(plain);
  if (isOnlySign && plain.includes('.') && hasUnit) return [decimal];
  if (isOnlySign && plain.includes(',') && !hasUnit) return [grouped];
  return [grouped, decimal];
}

/** Reads a whole number, whose groups may have mixed signs if people mistyped one. */
function readGroups(plain: string): string | undefined {
  if (/^\d+$/.test(plain)) return plain.length <= MAX_WHOLE_DIGITS ? plain : undefined;
  // Indian groups have two digits before the last one, as in 12,50,000.
  const isGrouped = /^[1-9]\d{0,2}(?:[ '.,]\d{3})+$/.test(plain) || /^[1-9]\d?(?:,\d{2})+,\d{3}$/.test(plain);
  const digits = plain.replaceAll(/\D/g, '');
  return isGrouped && digits.length <= MAX_WHOLE_DIGITS ? digits : undefined;
}

/** Reads a number with decimals after its last point or comma. */
function readFraction(plain: string): string | undefined {
  const [, before = '', sign = '', fraction = ''] = /^(.*)([.,])(\d+)$/.exec(plain) ?? [];
  if (sign === '' || fraction.length > MAX_DECIMALS) return undefined;
  const whole = before === '' ? '0' : readGroups(before);
  const groupSigns = new Set(before.replaceAll(/\d/g, ''));
  const isClear = groupSigns.size <= 1 && !groupSigns.has(sign) && (whole?.length === 1 || !whole?.startsWith('0'));
  return whole !== undefined && isClear ? `${whole}.${fraction}` : undefined;
}
