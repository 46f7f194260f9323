import { z } from 'zod';
import { button, MAX_OPTION_VALUE_LENGTH, menu, type Button, type Menu } from '../../../core/slack/blocks/blocks.ts';
import { clip } from '../../../core/base/text/markup.ts';

export const ACTIONS = {
  diff: 'controls_diff',
  settings: 'controls_settings',
  previous: 'controls_previous',
  history: 'controls_history',
  json: 'controls_json',
  acknowledge: 'controls_acknowledge',
} as const;

/** Two revisions and a page of their differences; `a` is -1 if there was no revision before. */
export const diffValue = z.object({ a: z.number(), b: z.number(), page: z.int().min(0) });
export const settingsValue = z.object({ revision: z.number(), page: z.int().min(0) });
/** A revision, and the index of one of the members that it changed. */
export const memberValue = z.object({ revision: z.number(), member: z.int().min(0) });
/** A notice, and the last revision that it was about when the button was made. */
export const acknowledgeValue = z.object({ key: z.string().max(200), through: z.number() });
export const historyValue = z.object({
  before: z.number().optional(),
  most: z.int().min(1).max(10),
  email: z.string().optional(),
  member: z.string().optional(),
  days: z.object({ first: z.iso.date(), last: z.iso.date() }).optional(),
});
export type HistoryPosition = z.infer<typeof historyValue>;

const NOTHING_BEFORE = -1;
export const beforeOf = (a: number) => (a === NOTHING_BEFORE ? null : a);

export const diffButton = (a: number | null, b: number, page = 0, text = 'Details'): Button =>
  button({ text, actionId: ACTIONS.diff, value: JSON.stringify({ a: a ?? NOTHING_BEFORE, b, page }) });

export const settingsButton = (revision: number, page = 0, text = `Settings at ${revision}`): Button =>
  button({ text, actionId: ACTIONS.settings, value: JSON.stringify({ revision, page }) });

export const jsonButton = (revision: number): Button =>
  button({ text: 'As JSON', actionId: ACTIONS.json, value: String(revision) });

/** Leads to the previous change of one member. If several changed, a menu asks which. */
export function previousElement(revision: number, members: readonly string[]): (Button | Menu)[] {
  const value = (member: number) => JSON.stringify({ revision, member });
  const [only, ...others] = members;
  if (only === undefined) return [];
  if (others.length === 0) {
    return [button({ text: `Previous change of ${clip(only, 40)}`, actionId: ACTIONS.previous, value: value(0) })];
  }
  const options = members
    .slice(0, 100)
    .map((text, index) => ({ text, value: value(index) }))
    .filter((option) => option.value.length <= MAX_OPTION_VALUE_LENGTH);
  return [menu({ placeholder: 'Previous change of …', actionId: ACTIONS.previous, options })];
}

export const historyButton = (text: string, position: HistoryPosition): Button =>
  button({ text, actionId: ACTIONS.history, value: JSON.stringify(position) });

export const acknowledgeButton = (key: string, through: number): Button =>
  button({ text: 'Acknowledge', actionId: ACTIONS.acknowledge, value: JSON.stringify({ key, through }) });
