import type { Demo } from '../../../src/sandbox/demo/demo.ts';
import type { Desk } from './desk.ts';

export const SETTINGS = {
  default: {},
  'PEOPLE_ROLE=admin': { PEOPLE_ROLE: 'admin' },
  'one admin': { ADMINS: 'ada.admin@acme.example' },
} as const satisfies Record<string, Record<string, string>>;
export type Setting = keyof typeof SETTINGS;
const isSetting = (name: string): name is Setting => Object.hasOwn(SETTINGS, name);
export const SETTING_NAMES: readonly Setting[] = Object.keys(SETTINGS).filter(isSetting);

/** `refused`: the bot said no, and why. Only some settings may end a job so. */
export interface Answer {
  outcome: 'done' | 'refused';
  said: string;
}

export interface Job {
  number: number;
  who: 'member' | 'manager' | 'admin' | 'operator';
  title: string;
  /** Settings that rule it out. The others end with `done`. */
  refusedWith?: readonly Setting[];
  /** Fails if anything that it waits for does not appear. */
  run(desk: Desk, demo: Demo, setting: Setting): Promise<Answer>;
}

export const done = (said: string): Answer => ({ outcome: 'done', said: brief(said) });
export const refused = (said: string): Answer => ({ outcome: 'refused', said: brief(said) });

const MAX_SAID = 160;
const brief = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SAID);

/** The part of an answer that the job is about. */
export function part(text: string, fits: RegExp): string {
  const match = fits.exec(text)?.[0];
  if (match === undefined) throw new Error(`Nothing fits ${String(fits)} in: ${text}`);
  return match;
}
