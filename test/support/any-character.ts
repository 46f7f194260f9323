import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * Every character of Unicode; the simplest are the readable ones. The unit `binary` of fast-check gives the same, but
 * costs a second in each process that uses it.
 */
export const anyCharacter = fc
  .oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 0x10ffff - SURROGATES }) },
  )
  .map((code) => String.fromCodePoint(code < FIRST_SURROGATE ? code : code + SURROGATES));
