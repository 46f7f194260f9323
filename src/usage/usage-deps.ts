import type { Knowledge } from '../feature.ts';
import type { ReadOwn } from './own/own-report.ts';
import type { Button } from '../slack/blocks/blocks.ts';
import type { Person } from '../slack/people/people.ts';
import type { Services } from '../services.ts';

export type UsageDeps = UsageServices & {
  readOwn: ReadOwn;
  /** The button of the form for personal warnings. */
  readWarnButton: (person: Pick<Person, 'slackId'>, isCounted: boolean) => Promise<Button>;
};

export type UsageServices = Pick<
  Services,
  'days' | 'checks' | 'people' | 'files' | 'channels' | 'db' | 'clock' | 'log' | 'config' | 'random' | 'checkpoint'
> &
  Knowledge;
