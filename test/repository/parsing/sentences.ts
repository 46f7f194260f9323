import { isNode, parseNodes, type SyntaxNode } from './syntax.ts';
import { localImports, type SourceFile } from './sources.ts';

/** Replaces a part of a sentence that is known only at run time. */
const GAP = '…';

/** An unresolvable expression, with its text. */
class UnreadableExpression extends Error {}

interface Place {
  file: SourceFile;
  nodes: readonly SyntaxNode[];
}

/**
 * Finds the possible texts of an expression: through constants, records, and functions of the same file or an imported
 * one.
 */
export function createSentenceReader(files: readonly SourceFile[], passedOn: Readonly<Record<string, string>>) {
  const places = new Map(files.map((file) => [file.path, { file, nodes: parseNodes(file.path, file.text) }]));

  const textOf = ({ file }: Place, node: SyntaxNode) => file.text.slice(Number(node['start']), Number(node['end']));

  /** The declaration of a name in a file: of several, the last one before its use. */
  const declarationOf = (place: Place, name: string, usedAt = 0): SyntaxNode | undefined => {
    const all = place.nodes.filter(
      (node) =>
        (node.type === 'FunctionDeclaration' || node.type === 'VariableDeclarator') &&
        isNode(node['id']) &&
        node['id']['name'] === name,
    );
    return all.findLast((node) => Number(node['start']) < usedAt) ?? all[0];
  };

  const find = (place: Place, name: string, usedAt = 0): { place: Place; node: SyntaxNode } | undefined => {
    const own = declarationOf(place, name, usedAt);
    if (own) return { place, node: own };
    for (const path of localImports(place.file)) {
      const other = places.get(path);
      const node = other && declarationOf(other, name);
      if (other && node) return { place: other, node };
    }
    return undefined;
  };

  const unreadable = (place: Place, node: SyntaxNode) => {
    const text = textOf(place, node);
    if (Object.hasOwn(passedOn, text)) return [];
    throw new UnreadableExpression(`${place.file.path}: ${text}`);
  };

  const returnsOf = (place: Place, fn: SyntaxNode): string[] => {
    const { body } = fn;
    if (!isNode(body)) return [];
    if (body.type !== 'BlockStatement') return read(place, body);
    const within = place.nodes.filter(
      (node) =>
        node.type === 'ReturnStatement' &&
        Number(node['start']) >= Number(body['start']) &&
        Number(node['end']) <= Number(body['end']),
    );
    return within.flatMap(({ argument }) => (isNode(argument) ? read(place, argument) : []));
  };

  const readValue = (place: Place, node: unknown): string[] => {
    if (!isNode(node)) return [];
    return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration'
      ? returnsOf(place, node)
      : read(place, node);
  };

  const readName = (place: Place, node: SyntaxNode): string[] => {
    const name = String(node['name']);
    if (name === 'undefined') return [];
    const found = find(place, name, Number(node['start']));
    if (!found) return unreadable(place, node);
    const { node: declared } = found;
    return readValue(found.place, declared.type === 'FunctionDeclaration' ? declared : declared['init']);
  };

  const read = (place: Place, node: SyntaxNode): string[] => {
    const inner = (member: string) => (isNode(node[member]) ? readValue(place, node[member]) : []);
    switch (node.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? [node['value']] : [];
      case 'TemplateLiteral': {
        const quasis: unknown[] = Array.isArray(node['quasis']) ? node['quasis'] : [];
        const texts = quasis.map((quasi) => (isNode(quasi) ? cooked(quasi['value']) : ''));
        return [texts.join(GAP)];
      }
      case 'ConditionalExpression':
        return [...inner('consequent'), ...inner('alternate')];
      case 'LogicalExpression':
        return node['operator'] === '&&' ? inner('right') : [...inner('left'), ...inner('right')];
      case 'Identifier':
        return readName(place, node);
      case 'CallExpression':
        return isNode(node['callee']) && node['callee'].type === 'Identifier'
          ? readName(place, node['callee'])
          : unreadable(place, node);
      case 'MemberExpression': {
        const record = isNode(node['object']) && node['object'].type === 'Identifier' ? node['object'] : undefined;
        const found = record && find(place, String(record['name']));
        const values = found && recordOf(found.node['init']);
        return values ? values.flatMap((value) => readValue(found.place, value)) : unreadable(place, node);
      }
      default:
        return node.type.endsWith('SatisfiesExpression') ? [] : unreadable(place, node);
    }
  };

  return {
    /** The sentences of the first argument of each such call. */
    argumentsOf: (isCall: (callee: string, node: SyntaxNode, path: string) => boolean): string[] =>
      [...places.values()].flatMap((place) =>
        place.nodes.flatMap((node) => {
          if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
          const callee = isNode(node['callee']) ? textOf(place, node['callee']) : '';
          if (!isCall(callee, node, place.file.path)) return [];
          const [first] = Array.isArray(node['arguments']) ? node['arguments'] : [];
          return isNode(first) ? readValue(place, first) : [];
        }),
      ),
    /** The sentences that a function returns. */
    returnedBy: (path: string, name: string): string[] => {
      const place = places.get(path);
      const declared = place && declarationOf(place, name);
      if (!place || !declared) throw new UnreadableExpression(`${path} has no ${name}`);
      return readValue(place, declared.type === 'FunctionDeclaration' ? declared : declared['init']);
    },
  };
}

const cooked = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';

/** The values of an object, or of one followed by `as const`. */
function recordOf(init: unknown): unknown[] | undefined {
  if (!isNode(init)) return undefined;
  if (init.type === 'TSAsExpression') return recordOf(init['expression']);
  if (init.type !== 'ObjectExpression' || !Array.isArray(init['properties'])) return undefined;
  return init['properties'].map((property: unknown) => (isNode(property) ? property['value'] : undefined));
}
