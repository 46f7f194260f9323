const EACH_MINUTE = '* * * * *';
const EVERY_FOUR_MINUTES = '*/4 * * * *';
const EACH_HOUR = '7 * * * *';

/**
 * Cron expressions in UTC. Jobs that start together run in this order, one after the other. A job reads from the store
 * what is due, so an extra start does nothing twice.
 */
export const JOB_TIMES = {
  'plan-due-subscriptions': { cron: EACH_MINUTE, purpose: 'enqueues the digests and reports that are due' },
  'ask-failing-platform': { cron: EACH_MINUTE, purpose: 'asks a platform that fails, to notice when it recovers' },
  'resume-interactions': { cron: EACH_MINUTE, purpose: 'resumes clicks and forms that a stop interrupted' },
  'fill-about-of-deliveries': { cron: EACH_MINUTE, purpose: 'completes messages that a version before 0.3.0 stored' },
  'budget-from-settings': { cron: EACH_MINUTE, purpose: 'sets up the budget of `BUDGET_CREDITS`' },
  'arm-new-alerts': { cron: EACH_MINUTE, purpose: 'notes what a new budget or alert has already passed' },
  'watch-published-days': { cron: EVERY_FOUR_MINUTES, purpose: 'evaluates budgets and alerts after a publication' },
  'watch-readiness': { cron: EACH_MINUTE, purpose: 'reports changed readiness of repositories' },
  'forget-over-tokens': { cron: EACH_HOUR, purpose: 'deletes tokens of `/session notify` that ended' },
  'forget-question-counts': { cron: EACH_HOUR, purpose: 'deletes numbers of questions, and tokens that ended' },
  'redact-stored-revisions': { cron: EACH_MINUTE, purpose: 'redacts revisions that an earlier version stored' },
  'controls-from-settings': { cron: EACH_MINUTE, purpose: 'sets up the channel of `CONTROLS_CHANNEL`' },
  'watch-waiting-requests': { cron: EACH_MINUTE, purpose: 'reminds admins of limit requests, and ends old ones' },
  'ask-next-approvers': { cron: EACH_MINUTE, purpose: 'hands limit requests on to the next approver' },
  'replace-lost-cards': { cron: EACH_MINUTE, purpose: 'posts a card for each pending request without one' },
  'resend-failed-questions': { cron: EACH_MINUTE, purpose: 'asks again if a question to a requester failed' },
  'announce-ends-of-raises': { cron: EACH_MINUTE, purpose: 'announces that a temporary limit ends soon' },
  'begin-returns': { cron: EACH_MINUTE, purpose: 'returns temporary limits that ended' },
  'run-limit-policies': { cron: EACH_MINUTE, purpose: 'sets first limits by policies, and posts their daily line' },
  'apply-limits': { cron: EACH_MINUTE, purpose: 'sends approved limits to the platform' },
  'forget-old-drafts': { cron: EACH_HOUR, purpose: 'deletes drafts of forms' },
  'take-over-computers': { cron: EACH_MINUTE, purpose: 'follows computers whose process stopped' },
  'replace-lost-computer-cards': { cron: EACH_MINUTE, purpose: 'posts a card for each computer without one' },
  'digest-from-settings': { cron: EACH_MINUTE, purpose: 'sets up the digest of `DIGEST_CHANNEL`' },
  'correct-digests': { cron: EACH_MINUTE, purpose: 'corrects digests whose figures changed' },
  'export-days': { cron: EACH_MINUTE, purpose: 'writes the files of `EXPORT_DIR` once a night' },
  'read-erasures': { cron: EACH_MINUTE, purpose: 'reads which people were erased' },
  'erase-people': { cron: EACH_MINUTE, purpose: 'completes erasures' },
  'delete-what-was-kept-long-enough': { cron: EACH_MINUTE, purpose: 'deletes by `RETENTION_DAYS` once a day' },
  'watch-platform-key': { cron: EACH_MINUTE, purpose: 'informs admins if the platform refuses the API key' },
  'watch-user-groups': { cron: EACH_MINUTE, purpose: 'informs admins if Slack refuses a user group of the settings' },
  'watch-controls-history': {
    cron: EACH_MINUTE,
    purpose: 'informs admins if the history of the controls can’t be read for an hour',
  },
  'forget-old-events': { cron: EACH_HOUR, purpose: 'deletes the ids of events that Slack sent' },
} as const satisfies Record<string, { cron: string; purpose: string }>;

export type JobName = keyof typeof JOB_TIMES;

/** Every replica starts each job: the database must decide which replica does the work. */
export interface Job {
  name: JobName;
  run(): Promise<void>;
}
