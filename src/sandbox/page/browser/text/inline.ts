/** A piece of formatted text. Leaves contain the visible text: entities are resolved, and nothing in them is markup. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; children: Inline[] }
  | { kind: 'user' | 'channel' | 'group'; id: string; label: string | null }
  | { kind: 'broadcast'; range: 'here' | 'channel' | 'everyone' }
  | { kind: 'date'; epochSeconds: number; format: string; url: string | null; fallback: string }
  | { kind: 'emoji'; name: string };

export type TextBlock = { kind: 'paragraph' | 'quote'; children: Inline[] } | { kind: 'preformatted'; text: string };

/** Resolves the three entities that Slack knows, each once, so that `&amp;lt;` stays the text `&lt;`. */
export function unescapeEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt);/g, (_, name: string) => (name === 'amp' ? '&' : name === 'lt' ? '<' : '>'));
}

/** Returns the address if it may be a link: only web, mail and telephone addresses may. */
export function safeUrl(candidate: string): string | null {
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(candidate)) return null;
  return URL.canParse(candidate) ? candidate : null;
}

/** Joins neighbouring text leaves and drops empty ones. */
export function joinTexts(nodes: readonly Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.kind === 'text' && node.text === '') continue;
    if (node.kind === 'text' && last?.kind === 'text')
      joined[joined.length - 1] = { kind: 'text', text: last.text + node.text };
    else joined.push(node);
  }
  return joined;
}

/** Returns the text without formatting, for announcements and names. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes.map((node) => plainTextOf(node)).join('');
}

function plainTextOf(node: Inline): string {
  switch (node.kind) {
    case 'text':
    case 'code':
      return node.text;
    case 'break':
      return '\n';
    case 'bold':
    case 'italic':
    case 'strike':
    case 'link':
      return plainText(node.children);
    case 'user':
    case 'group':
      return node.label ?? `@${node.id}`;
    case 'channel':
      return `#${node.label ?? node.id}`;
    case 'broadcast':
      return `@${node.range}`;
    case 'date':
      return node.fallback;
    case 'emoji':
      return `:${node.name}:`;
    default:
      return node satisfies never;
  }
}
