import { actions, button, section, type Block } from '../slack/blocks.ts';
import type { ToldFault } from '../slack/faults.ts';
import { escapeText, joinMarkup, markup, Markup } from '../slack/text.ts';

export const SHARE_ACTION = 'usage_share';
export const SHARE_WITH_PEOPLE_ACTION = 'usage_share_with_people';

/** A part of the figures that could not be read, and what the person is told about it. */
export type PartFault = { part: string } & ToldFault;

/** The top-level text is mrkdwn too, and its lines may hold names from outside. */
export function escapeLines(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== '')
    .map((line) => escapeText(line))
    .join('\n');
}

/**
 * Buttons that post the answer to the channel; what names people asks once more.
 *
 * @param value says what the answer is of
 * @param holds figures only, figures with people among them, or the figures of one person
 */
export function shareButtons(value: string, holds: 'figures' | 'both' | 'people'): Block {
  const label = holds === 'both' ? 'Share without names' : 'Share';
  const share = button({ text: label, actionId: SHARE_ACTION, value });
  const withNames = button({
    text: holds === 'both' ? 'Share with names' : 'Share',
    actionId: SHARE_WITH_PEOPLE_ACTION,
    value,
    confirm: {
      title: 'Share people’s figures?',
      text: new Markup('Everybody in this channel will see who used how many credits.'),
      confirm: 'Share with names',
      deny: 'Cancel',
    },
  });
  return actions(...(holds === 'people' ? [] : [share]), ...(holds === 'figures' ? [] : [withNames]));
}

/** @example personName({ email: undefined, userId: 'u7', … }) // 'unknown e-mail (u7)' */
export function personName(person: { email: string | undefined; userId: string }): string {
  return person.email ?? `unknown e-mail (${person.userId})`;
}

/** A titled list, or nothing when it is empty. */
export function namedList(title: string, lines: readonly string[]): Block[] {
  if (lines.length === 0) return [];
  return [section(joinMarkup([markup`*${title}*`, ...lines.map((line) => markup`•  ${line}`)], '\n'))];
}

/** The same as one line of text. */
export function listText(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}: ${lines.join('; ')}.`;
}
