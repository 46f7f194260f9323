// What is in none of these lists is about rules: it needs no database and runs with `npm test`.

/** On both engines each time: the store itself, and where the database decides a race. */
export const STORE_SUITES = [
  'test/analytics/{day-store,days,roll-up}.test.ts',
  'test/backup/backup.test.ts',
  'test/computers/leases.test.ts',
  'test/erasure/rows.test.ts',
  'test/limits/approved-only.test.ts',
  'test/limits/{leases,races,retention}.test.ts',
  'test/outbox/**/*.test.ts',
  'test/alerts/budgets/model.test.ts',
  'test/retention/**/*.test.ts',
  'test/figures/groups/gate.test.ts',
  'test/schedule/subscriptions.test.ts',
  'test/watches/channel-subscriptions.test.ts',
  'test/slack/pending-interactions.test.ts',
  'test/store/**/*.test.ts',
];

/** Whole conversations and whole years, on one engine at a time. */
export const APP_SUITES = ['test/e2e/**/*.test.ts', 'test/doctor/**/*.test.ts', 'test/digests/clock-changes.test.ts'];

/** Conversations whose rules are tried each day by themselves: whole, on either engine, in the long run. */
export const LONG_APP_SUITES = [
  'test/e2e/app/retention.test.ts',
  'test/e2e/controls/controls-history.test.ts',
  'test/e2e/erasure/erasure.test.ts',
  'test/e2e/exports/exports.test.ts',
  'test/e2e/usage/{awkward-mornings,usage-agreement}.test.ts',
];

/** Bots that die at every step: within the process of the test each time, and by SIGKILL on both engines in the long run. */
export const CRASH_SUITES = [
  'test/e2e/digests/crash.test.ts',
  'test/e2e/{limits,computers,controls,sessions}/*-crash.test.ts',
  'test/e2e/limits/limits-restored.test.ts',
  'test/e2e/app/resumed-interactions.test.ts',
];

/** The page in a browser, which waits for seconds where everything else keeps both cores busy: so it comes last. */
export const PAGE_SUITES = ['test/sandbox/page/browser*.test.ts'];

/** A share of their generated cases is tried each day, and all of them in the long run. */
export const PROPERTY_SUITES = [
  'test/controls/diff/changes.test.ts',
  'test/digests/{coverage,covered-words,form}.test.ts',
  'test/digests/layout.test.ts',
  'test/erasure/replace.test.ts',
  'test/limits/simulate.test.ts',
  'test/outbox/every-kind.test.ts',
  'test/platform/redaction/redact.test.ts',
  'test/readiness/buttons.test.ts',
  'test/sandbox/platform/figures.test.ts',
  'test/schedule/occurrences.test.ts',
  'test/sessions/hooks/state.test.ts',
  'test/slack/block-rules/block-rules.test.ts',
  'test/slack/blocks.test.ts',
  'test/slack/command-text.test.ts',
  'test/slack/views.test.ts',
  'test/usage/agreement.test.ts',
  'test/alerts/budgets/model.test.ts',
  'test/usage/csv.test.ts',
  'test/figures/groups/cells.test.ts',
  'test/usage/usual-band.test.ts',
  'test/alerts/unusual-days-calibration.test.ts',
  'test/usage/views/{figures,people-fold}.test.ts',
  'test/usage/views/people.test.ts',
  'test/usage/views/views.test.ts',
];

/** They measure times, so nothing else runs beside them. */
export const MEASURED_SUITES = [
  'test/e2e/limits/limits-import-large.test.ts',
  'test/e2e/sessions/hook-cards-many.test.ts',
  'test/e2e/app/overload.test.ts',
  'test/e2e/app/slow-disk.test.ts',
];

/** What starts programs or waits for a minute of real time, so that it is left to the long run. */
export const LONG_SUITES = [
  ...MEASURED_SUITES,
  'test/backup/program.test.ts',
  'test/doctor/{program,settings}.test.ts',
  'test/erasure/program.test.ts',
  'test/exports/kills.test.ts',
  'test/e2e/slack/channel-posts.test.ts',
  'test/e2e/slack/many-homes.test.ts',
  'test/platform/giant-answers.test.ts',
  'test/e2e/app/demo.test.ts',
  'test/e2e/app/moved-store.test.ts',
  'test/e2e/app/postgres-black-hole.test.ts',
  'test/e2e/app/process.test.ts',
  'test/e2e/app/socket-mode.test.ts',
  'test/e2e/app/stops.test.ts',
  'test/e2e/app/store-{mornings,trouble}.test.ts',
  'test/e2e/sessions/hooks-{agent,snippet}.test.ts',
  'test/e2e/usage/small-groups-attack.test.ts',
  'test/e2e/usage/small-groups-messages-attack.test.ts',
  'test/e2e/slack/worst-texts.test.ts',
  'test/manifest/program.test.ts',
  'test/outbox/every-refusal.test.ts',
  'test/platform/worst-mood.test.ts',
  'test/readiness/reading.test.ts',
  'test/repository/image.test.ts',
  'test/repository/{regular-expressions,release,waiting}.test.ts',
  'test/sandbox/page/gallery{,-prefix}.test.ts',
  'test/sandbox/platform/main.test.ts',
  'test/sandbox/slack/{interactions,modals,transports}.test.ts',
  'test/slack/large-workspace.test.ts',
  'test/store/first-start.test.ts',
  'test/store/postgres-network.test.ts',
  'test/store/upgrades.test.ts',
];
