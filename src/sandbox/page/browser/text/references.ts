import { safeUrl, unescapeEntities, type Inline } from './inline.ts';

/**
 * Parses the content between `<` and `>` in Slack's text: a link, a mention or a date.
 *
 * @returns null if it is none of them; then the brackets are text
 */
export function parseReference(content: string): Inline | null {
  const bar = content.indexOf('|');
  const target = bar === -1 ? content : content.slice(0, bar);
  const label = bar === -1 ? null : unescapeEntities(content.slice(bar + 1));
  if (target.startsWith('@')) return mention('user', /^@([UWB][A-Z0-9]+)$/, target, label);
  if (target.startsWith('#')) return mention('channel', /^#([CGD][A-Z0-9]+)$/, target, label);
  if (target.startsWith('!subteam^')) return mention('group', /^!subteam\^(S[A-Z0-9]+)$/, target, label);
  if (target.startsWith('!date^')) return dateReference(target, label);
  if (target.startsWith('!')) return specialMention(target.slice(1), label);
  const url = safeUrl(unescapeEntities(target));
  if (url === null) return null;
  const visibleText = label === null || label === '' ? url.replace(/^(?:mailto|tel):/i, '') : label;
  return { kind: 'link', url, children: [{ kind: 'text', text: visibleText }] };
}

function mention(
  kind: 'user' | 'channel' | 'group',
  shape: RegExp,
  target: string,
  label: string | null,
): Inline | null {
  const id = shape.exec(target)?.[1];
  return id === undefined ? null : { kind, id, label: label === '' ? null : label };
}

function specialMention(name: string, label: string | null): Inline | null {
  if (name === 'here' || name === 'channel' || name === 'everyone') return { kind: 'broadcast', range: name };
  if (name === 'group') return { kind: 'broadcast', range: 'channel' };
  return label === null || label === '' ? null : { kind: 'text', text: label };
}

/** `!date^1392734382^{date_num} {time_secs}^https://example.com/` with a fallback after the bar. */
function dateReference(target: string, label: string | null): Inline | null {
  const [, epoch = '', format = '', ...rest] = target.split('^');
  const epochSeconds = Number(epoch);
  const fallback = label ?? '';
  if (!/^-?\d+$/.test(epoch) || Math.abs(epochSeconds) > 8e12 || format === '') {
    return fallback === '' ? null : { kind: 'text', text: fallback };
  }
  const link = rest.length > 0 ? safeUrl(unescapeEntities(rest.join('^'))) : null;
  return { kind: 'date', epochSeconds, format: unescapeEntities(format), url: link, fallback };
}
