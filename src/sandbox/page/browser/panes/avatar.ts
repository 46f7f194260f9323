import { html } from 'htm/preact';
import type { VNode } from 'preact';

const COLOURS = 8;

/** Returns the same number for an id each time. */
function colourOf(id: string): number {
  let sum = 7;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % COLOURS;
}

/** The initials of a name on a colour that is constant for an id. */
export function Avatar({ id, name, isApp = false }: { id: string; name: string; isApp?: boolean }): VNode {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
  return html`<span class=${`avatar ${isApp ? 'avatar-app' : `avatar-${colourOf(id)}`}`} aria-hidden="true"
    >${initials}</span
  >`;
}
