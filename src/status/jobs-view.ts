import { markup, own, readerTime, type Markup } from '../base/text/markup.ts';
import { JOB_TIMES } from '../schedule/job-times.ts';
import { context, section } from '../slack/blocks/blocks.ts';
import { modal, type ModalView } from '../slack/blocks/views.ts';
import type { JobRun } from './status-view.ts';

export const JOBS_TITLE = 'Scheduled jobs';

/** A section’s 3,000 characters hold this many lines. */
const JOBS_A_SECTION = 10;

export function jobsView(runs: readonly JobRun[]): ModalView {
  const lines = Object.entries(JOB_TIMES).flatMap(([name, { cron, purpose }]) => {
    const run = runs.find((one) => one.name === name);
    return run
      ? [markup`${stateOf(run)} \`${own(cron)}\`  *${own(name)}*: ${own(purpose)}, ${readerTime(run.at)}`]
      : [];
  });
  const groups = Array.from({ length: Math.ceil(lines.length / JOBS_A_SECTION) }, (_, index) =>
    section(lines.slice(index * JOBS_A_SECTION, (index + 1) * JOBS_A_SECTION)),
  );
  return modal({
    title: JOBS_TITLE,
    blocks: [
      ...groups,
      context(markup`Cron expressions in UTC. A job never runs beside itself; the time is that of its last run.`),
    ],
  });
}

const stateOf = ({ hasFailed }: JobRun): Markup => (hasFailed ? markup`⚠️` : markup`✅`);
