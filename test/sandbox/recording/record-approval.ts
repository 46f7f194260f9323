import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startDemo, type DemoOptions } from '../../../src/sandbox/demo/demo.ts';
import { createDesk, type Desk } from '../../e2e/jobs/desk.ts';
import { createAnimation } from './animation.ts';

/** A Tuesday morning, with the figures of the day before. */
const START = new Date('2026-11-24T07:30:00Z');
const APPROVAL = 'docs/approval.gif';
const TEAM_APPROVAL = 'docs/team-approval.gif';
export const PAGE = { viewport: { width: 960, height: 600 }, timezoneId: 'UTC', locale: 'en-US' };
const GLANCE_MS = 900;
const READ_MS = 2_600;

/** The texts of the animated pictures when they were recorded, by which a test notices that the bot says something else now. */
export const ANIMATED_TEXTS = 'test/sandbox/recording/animated-texts.json';

/** Shows what happens in a page, frame by frame. */
interface Play {
  page: Page;
  desk: Desk;
  /** Called when the page shows something worth this long a look. */
  frame: (shownMs: number) => Promise<void>;
  /** Waits for a text, remembers it, and calls `frame`. */
  sees: (text: Promise<string>, shownMs: number) => Promise<void>;
}

const PLAYS: Readonly<Record<string, { options: Partial<DemoOptions>; play: (play: Play) => Promise<void> }>> = {
  [APPROVAL]: { options: { isFurnished: true }, play: playApproval },
  [TEAM_APPROVAL]: {
    options: {
      limits: { 'mia.member@acme.example': 12_000_000 },
      settings: { ADMINS: 'ada.admin@acme.example,morgan.manager@acme.example', LIMIT_PERIOD: 'month' },
    },
    play: playTeamApproval,
  },
};
export const ANIMATIONS = Object.keys(PLAYS);

/** Without ids, which are random, and times, which differ by the minutes that a recording takes. */
const lastingText = (text: string) =>
  text.replaceAll(/\b\d{1,2}:\d{2} [AP]M\b/g, '(time)').replaceAll(/\b(request(?: is)?) [a-z\d]{5}\b/gi, '$1 (id)');

/**
 * Plays a picture in the page of a fresh demo.
 *
 * @param frame called when the page shows something worth this long a look
 * @returns what forms and messages say, in order
 */
export async function playAnimation(name: string, page: Page, frame: Play['frame']): Promise<string[]> {
  const { options, play } = PLAYS[name] ?? unknownAnimation(name);
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-recording-'));
  const base = { edition: 'today', people: 60, seed: 1, port: 0, folder, startAt: START } as const;
  const demo = await startDemo({ ...base, ...options }, (reason) => {
    throw new Error(reason);
  });
  const texts: string[] = [];
  const sees = async (text: Promise<string>, shownMs: number) => {
    texts.push(lastingText(await text));
    await frame(shownMs);
  };
  try {
    await page.addInitScript(`localStorage.setItem('sandbox-hints-dismissed', 'yes')`);
    await page.goto(demo.address);
    await play({ page, desk: createDesk(page, demo), frame, sees });
    return texts;
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function unknownAnimation(name: string): never {
  throw new Error(`There is no animation ${name}`);
}

/** Request, approval by an admin, and answer. */
async function playApproval({ page, desk, frame, sees }: Play): Promise<void> {
  await requestLimit({ page, desk, frame, sees });
  await desk.be('ada');
  await desk.open('dm');
  await sees(desk.sees(/requests a credit limit of 20 M/), READ_MS);
  await desk.press('Review');
  await sees(desk.seesForm(/New limit for/), READ_MS);
  await desk.submit();
  await sees(desk.seesForm(/approved by/), GLANCE_MS);
  await desk.close();
  await sees(desk.sees(/20 M set/), READ_MS);
  await seeAnswer({ desk, sees });
}

/** The same with a team, whose lead approves from its pool: one click of the member, and two of the lead. */
async function playTeamApproval({ page, desk, frame, sees }: Play): Promise<void> {
  await createTeam(desk);
  await requestLimit({ page, desk, frame, sees });
  await desk.be('nora');
  await desk.open('dm');
  await sees(desk.sees(/Pool of @web-team/), READ_MS);
  await desk.press('Review');
  await sees(desk.seesForm(/leaves/), READ_MS);
  await desk.submit();
  await sees(desk.seesForm(/approved by/), GLANCE_MS);
  await desk.close();
  await sees(desk.sees(/20 M set/), READ_MS);
  await seeAnswer({ desk, sees });
}

async function createTeam(desk: Desk): Promise<void> {
  await desk.be('ada');
  await desk.open('general');
  await desk.openForm('/limits teams new', /Highest limit/);
  await desk.fillForm({
    Name: 'Web',
    'For which people?': '@web-team',
    Leads: ['Nora'],
    'Pool: credits a period': '50m',
    'Highest limit': '40m',
  });
  await desk.submit();
  await desk.seesForm(/agree|Activate|draft/i);
  await desk.close();
  await desk.be('morgan');
  await desk.open('general');
  await desk.type('/limits teams', /web-team/);
  await desk.choose('Open a team', 'Web');
  await desk.press('Activate');
  await desk.sees(/web-team/);
}

async function requestLimit({
  page,
  desk,
  frame,
  sees,
}: Pick<Play, 'page' | 'desk' | 'frame' | 'sees'>): Promise<void> {
  await desk.be('mia');
  await desk.open('general');
  await page.getByTestId('composer').fill('/limits request');
  await frame(GLANCE_MS);
  await sees(desk.openForm('/limits request', /New limit/), GLANCE_MS);
  await desk.fillForm({ 'New limit': '20m', 'Why?': 'Release week' });
  await frame(READ_MS);
  await desk.submit();
  await sees(desk.seesForm(/Your request is/), GLANCE_MS);
  await desk.close();
}

async function seeAnswer({ desk, sees }: Pick<Play, 'desk' | 'sees'>): Promise<void> {
  await desk.be('mia');
  await desk.open('dm');
  await sees(desk.sees(/limit is now 20 M/), 2 * READ_MS);
}

/** @returns the number of frames of all pictures */
export async function recordAnimations(browser: Browser, root: string): Promise<number> {
  const decoder = await browser.newPage();
  const texts: Record<string, string[]> = {};
  let frames = 0;
  try {
    for (const name of ANIMATIONS) {
      const page = await browser.newPage(PAGE);
      const animation = createAnimation(page, decoder);
      texts[name] = await playAnimation(name, page, (shownMs) => animation.frame(shownMs));
      writeFileSync(join(root, name), await animation.encode());
      frames += animation.count();
      await page.close();
    }
    writeFileSync(join(root, ANIMATED_TEXTS), `${JSON.stringify(texts, null, 2)}\n`);
    return frames;
  } finally {
    await decoder.close();
  }
}
