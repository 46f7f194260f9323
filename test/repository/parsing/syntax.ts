import { parseSync } from 'oxc-parser';

/** A node of the syntax tree, as ESTree names it. */
export interface SyntaxNode {
  type: string;
  [member: string]: unknown;
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function nodesOf(value: unknown): SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesOf)];
}

/** Every node of a file. */
export function parseNodes(path: string, text: string): SyntaxNode[] {
  return nodesOf(parseSync(path, text).program);
}
