import type { ArrowFunctionExpression, Expression, Function, MemberExpression, Node } from 'oxc-parser';
import { localImports, parseNodes, type SourceFile } from './sources.ts';

/** Replaces a part of a sentence that is known only at run time. */
const GAP = '…';

interface Place {
  file: SourceFile;
  nodes: readonly Node[];
}

type Value = Expression | Function | null | undefined;

/**
 * Finds the possible texts of an expression: through constants, records, and functions of the same file or an imported
 * one. It throws an error with the text of an expression that it can't resolve.
 */
export function createSentenceReader(files: readonly SourceFile[], passedOn: Readonly<Record<string, string>>) {
  const places = new Map(files.map((file) => [file.path, { file, nodes: parseNodes(file) }]));

  const textOf = ({ file }: Place, { start, end }: Node) => file.text.slice(start, end);

  /** The value of a name in a file: of several declarations, the last one before its use. */
  const valueIn = (place: Place, name: string, usedAt: number): Value => {
    const all = place.nodes.flatMap((node) => {
      if (node.type === 'FunctionDeclaration') return node.id?.name === name ? [node] : [];
      return node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.id.name === name && node.init
        ? [node.init]
        : [];
    });
    return all.findLast(({ start }) => start < usedAt) ?? all[0];
  };

  const find = (place: Place, name: string, usedAt = 0): { place: Place; value: Value } | undefined => {
    const imported = localImports(place.file).flatMap((path) => places.get(path) ?? []);
    const found = [place, ...imported].map((one) => ({ place: one, value: valueIn(one, name, usedAt) }));
    return found.find(({ value }) => value);
  };

  const unreadable = (place: Place, node: Node): string[] => {
    const text = textOf(place, node);
    if (Object.hasOwn(passedOn, text)) return [];
    throw new Error(`${place.file.path}: ${text}`);
  };

  const readName = (place: Place, node: Node, name: string): string[] => {
    if (name === 'undefined') return [];
    const found = find(place, name, node.start);
    return found ? read(found.place, found.value) : unreadable(place, node);
  };

  const returnsOf = (place: Place, { body }: Function | ArrowFunctionExpression): string[] => {
    if (body?.type !== 'BlockStatement') return read(place, body);
    const within = place.nodes.filter(({ start, end }) => start >= body.start && end <= body.end);
    return within.flatMap((node) => (node.type === 'ReturnStatement' ? read(place, node.argument) : []));
  };

  const readMember = (place: Place, node: MemberExpression): string[] => {
    const found = node.object.type === 'Identifier' ? find(place, node.object.name) : undefined;
    const record = found?.value?.type === 'TSAsExpression' ? found.value.expression : found?.value;
    if (!found || record?.type !== 'ObjectExpression') return unreadable(place, node);
    return record.properties.flatMap((one) => (one.type === 'Property' ? read(found.place, one.value) : []));
  };

  const read = (place: Place, node: Value): string[] => {
    if (!node || node.type === 'TSSatisfiesExpression') return [];
    if (node.type === 'FunctionDeclaration' || node.type === 'ArrowFunctionExpression') return returnsOf(place, node);
    if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
    if (node.type === 'TemplateLiteral') return [node.quasis.map(({ value }) => value.cooked).join(GAP)];
    if (node.type === 'ConditionalExpression') return [...read(place, node.consequent), ...read(place, node.alternate)];
    if (node.type === 'LogicalExpression') {
      return [...(node.operator === '&&' ? [] : read(place, node.left)), ...read(place, node.right)];
    }
    if (node.type === 'MemberExpression') return readMember(place, node);
    const name = node.type === 'CallExpression' ? node.callee : node;
    return name.type === 'Identifier' ? readName(place, name, name.name) : unreadable(place, node);
  };

  return {
    /** The sentences of the first argument of each such call. */
    argumentsOf: (isCall: (callee: string, node: Node, path: string) => boolean): string[] =>
      [...places.values()].flatMap((place) =>
        place.nodes.flatMap((node) => {
          if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
          if (!isCall(textOf(place, node.callee), node, place.file.path)) return [];
          const [first] = node.arguments;
          return first?.type === 'SpreadElement' ? unreadable(place, first) : read(place, first);
        }),
      ),
    /** The sentences that a function returns. */
    returnedBy: (path: string, name: string): string[] => {
      const place = places.get(path);
      const value = place && valueIn(place, name, 0);
      if (!value) throw new Error(`${path} has no ${name}`);
      return read(place, value);
    },
  };
}
