/** Under this name goes what has no name that can be shown. */
export const OTHER_TOOLS = 'other';

/**
 * What a tool is called: one word of letters, digits and the marks that join words. Names with anything else (markup, quotes,
 * blanks, line breaks) are leftovers of a parser: the platform's document tells of about 0.006 % of them.
 */
const TOOL_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,99}$/;

/** @example toolName('mcp__github__search') // 'mcp__github__search'; toolName('Read</tool_name>') // 'other' */
export function toolName(name: string): string {
  return TOOL_NAME.test(name) ? name : OTHER_TOOLS;
}
