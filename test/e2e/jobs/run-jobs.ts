import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, ConsoleMessage, Page, Request, Response } from 'playwright-core';
import { startDemo } from '../../../src/sandbox/demo/demo.ts';
import { adminJobs } from './admin-jobs.ts';
import { createDesk } from './desk.ts';
import { SETTINGS, type Answer, type Job, type Setting } from './job.ts';
import { laterJobs } from './later-jobs.ts';
import { managerJobs } from './manager-jobs.ts';
import { memberJobs } from './member-jobs.ts';
import { nextStepJobs } from './next-step-jobs.ts';

/** What people come for, as reviewers wrote it down. */
export const JOBS: readonly Job[] = [...memberJobs, ...managerJobs, ...adminJobs, ...nextStepJobs, ...laterJobs];

/** A Tuesday morning, with the figures of the day before. */
const START = new Date('2026-11-24T07:30:00Z');

export interface JobResult {
  job: Job;
  answer: Answer | { outcome: 'failed'; said: string };
  steps: number;
  seconds: number;
}

/** Whether it ended as its settings allow. */
export function isExpected({ job, answer }: JobResult, setting: Setting): boolean {
  return answer.outcome === (job.refusedWith?.includes(setting) ? 'refused' : 'done');
}

/** Does each job in a tab of its own, one after the other, on a fresh demo. */
export async function* runJobs(browser: Browser, setting: Setting, jobs = JOBS): AsyncGenerator<JobResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-jobs-'));
  const options = {
    edition: 'today',
    people: 60,
    seed: 1,
    port: 0,
    folder,
    startAt: START,
    isFurnished: true,
  } as const;
  const demo = await startDemo({ ...options, settings: SETTINGS[setting] }, (reason) => {
    throw new Error(reason);
  });
  try {
    for (const job of jobs) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const desk = createDesk(page, demo);
      await page.addInitScript(`localStorage.setItem('sandbox-hints-dismissed', 'yes')`);
      try {
        await openPage(page, demo.address);
        const startMs = performance.now();
        const answer = await job.run(desk, demo, setting).catch(async (error: unknown) => {
          const [top] = await page.getByTestId('modal').allInnerTexts();
          const screen = top ?? (await page.getByRole('main').innerText());
          return { outcome: 'failed' as const, said: `${String(error)}\nThe page shows:\n${screen.slice(-1_500)}` };
        });
        if ((await page.getByTestId('modal').count()) > 0) await desk.close();
        yield { job, answer, steps: desk.steps(), seconds: (performance.now() - startMs) / 1_000 };
      } finally {
        await page.close();
      }
    }
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const OPENED_WITHIN_MS = 20_000;

/** Opens the demo. If nothing can be typed there, the error tells what the page shows and what the browser complained about. */
async function openPage(page: Page, address: string): Promise<void> {
  const complaints: string[] = [];
  const keep = (complaint: string) => void complaints.push(complaint);
  const pending = new Set<string>();
  const keepAnswer = (response: Response) => {
    pending.delete(response.url());
    if (!response.ok()) keep(`${response.status()} for ${response.url()}`);
  };
  const keepFailure = (request: Request) => {
    pending.delete(request.url());
    keep(`${request.failure()?.errorText} for ${request.url()}`);
  };
  const keepError = (error: Error) => keep(String(error.stack));
  const keepLine = (line: ConsoleMessage) => keep(`${line.type()} ${line.text()}`);
  page.on('request', (request) => pending.add(request.url()));
  page.on('response', keepAnswer).on('requestfailed', keepFailure).on('pageerror', keepError).on('console', keepLine);
  try {
    await page.goto(address);
    const composer = page.getByTestId('composer');
    // A loaded browser once left a request of a fresh page without an answer.
    await composer.waitFor({ timeout: OPENED_WITHIN_MS }).catch(async () => {
      keep(`loaded again, without an answer for ${[...pending].join(', ')}`);
      await page.reload();
      await composer.waitFor();
    });
  } catch (cause) {
    const shown = await page.locator('body').innerText();
    throw new Error([`The page of ${page.url()} shows: ${shown}`, ...complaints].join('\n'), { cause });
  }
}
