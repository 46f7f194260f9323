import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { SETTING_NAMES } from '../jobs/job.ts';
import { isExpected, JOBS, runJobs } from '../jobs/run-jobs.ts';
import { shareOf } from '../../support/property-runs.ts';
import { hasChromium, launchChromium } from '../../support/chromium.ts';

describe.skipIf(!hasChromium())('the everyday jobs, in the page of a fresh demo,', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test.each(shareOf(SETTING_NAMES))(
    'end with %s as that setting allows',
    async (setting) => {
      const unexpected: unknown[] = [];
      let count = 0;
      for await (const result of runJobs(browser, setting)) {
        count += 1;
        if (!isExpected(result, setting)) unexpected.push([result.job.title, result.answer]);
      }
      expect(unexpected).toEqual([]);
      expect(count).toBe(JOBS.length);
      expect(JOBS.map(({ number }) => number)).toEqual(Array.from({ length: JOBS.length }, (_, index) => index + 1));
    },
    480_000,
  );
});
