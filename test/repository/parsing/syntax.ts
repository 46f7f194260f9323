import { parseSync, type Node } from 'oxc-parser';

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value)
    ? value.flatMap(nodesOf)
    : isNode(value)
      ? [value, ...Object.values(value).flatMap(nodesOf)]
      : [];

/** Every node of a file, parents first. */
export const parseNodes = (path: string, text: string): Node[] => nodesOf(parseSync(path, text).program);
