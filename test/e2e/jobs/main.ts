/** `npm run jobs`: does everyday jobs in the page of a fresh demo, and prints the steps and seconds of each. */
import { hasChromium, launchChromium } from '../../support/chromium.ts';
import { SETTING_NAMES } from './job.ts';
import { isExpected, JOBS, runJobs } from './run-jobs.ts';

const [only] = process.argv.slice(2);
const jobs = only === undefined ? JOBS : JOBS.filter(({ number }) => only.split(',').includes(String(number)));
if (!hasChromium()) process.exit(1);
const browser = await launchChromium();
let failures = 0;
try {
  for (const setting of SETTING_NAMES) {
    console.log(`\n${setting === 'default' ? 'The demo as it is' : `With ${setting}`}\n`);
    for await (const result of runJobs(browser, setting, jobs)) {
      const { job, answer, steps, seconds } = result;
      if (!isExpected(result, setting)) failures += 1;
      const mark = isExpected(result, setting) ? answer.outcome : `NOT AS EXPECTED: ${answer.outcome}`;
      console.log(
        `${String(job.number).padStart(2)}  ${job.who}: ${job.title}\n    ${mark}, ${steps} steps, ${seconds.toFixed(1)} s: ${answer.said}`,
      );
    }
  }
} finally {
  await browser.close();
}
console.log(failures === 0 ? '\nEach job ended with its true answer.' : `\n${failures} did not end as expected.`);
process.exit(failures === 0 ? 0 : 1);
