import type { Feature } from '../../core/feature.ts';
import { createBackgroundJob } from '../../core/schedule/background-job.ts';
import type { Job } from '../../core/schedule/job.ts';
import { carryOut, CHECK_AFTER_MS, type ErasureServices } from './carry-out.ts';
import { claimErasure, dueErasures, importErasureList } from './core/erasures.ts';
import { ErasureListError } from './core/list-file.ts';
import { areErasuresKnown, recordErasuresRead } from '../../core/store/health/heartbeat.ts';
import { expireRequests } from './core/requests.ts';
import { confirmForm, eraseForm, showEraseForm, TITLE } from './erasure-form.ts';
import { erasureMessages } from './erasure-notices.ts';
import { agreeForm, declineAction, reviewAction } from './review.ts';

/** Erases people's data at the request of an admin or the operator. */
export function createErasureFeature(services: ErasureServices): Feature {
  const { config, db, clock, log, erased } = services;
  const plan = { name: 'erase-people', cron: '* * * * *', purpose: 'completes erasures' };
  const erasing = createBackgroundJob(plan, log, (signal) => eraseDue(services, signal));
  // All processes learn of erased people, even while one of them is busy with an erasure.
  const reading: Job = {
    name: 'read-erasures',
    cron: '* * * * *',
    purpose: 'reads which people were erased',
    run: async () => {
      await importErasureList(db, config.erasuresFile, clock.now());
      await recordErasuresRead(db, services.replica, await erased.refresh());
    },
  };
  return {
    name: 'erasure',
    jobs: [reading, erasing.job],
    stop: () => erasing.stop(),
    forms: [eraseForm(services), confirmForm(services), agreeForm(services)],
    actions: [reviewAction(services), declineAction(services)],
    messages: erasureMessages(services),
    adminCommands: { erase: { title: TITLE, run: (_by, opened) => showEraseForm(services, opened) } },
  };
}

async function eraseDue(services: ErasureServices, signal: AbortSignal): Promise<void> {
  const { config, db, clock, log } = services;
  const { erasuresFile, erasureProofsFile } = config;
  await expireRequests(db, clock.now());
  // Until then another process may still show the person or store new data about them.
  if (!(await areErasuresKnown(db))) return;
  for (const erasure of await dueErasures(db, clock.now())) {
    const until = new Date(clock.now().getTime() + CHECK_AFTER_MS);
    if (!(await claimErasure(db, erasure, until))) continue;
    await carryOut({ ...services, erasuresFile, erasureProofsFile, isBotRunning: true, signal }, erasure).catch(
      (error: unknown) => {
        if (signal.aborted) throw error;
        const sentence = error instanceof ErasureListError ? error.message : 'An erasure was cut off';
        log.error({ err: error, erasure: erasure.id }, `${sentence} Quartermaster tries again in ten minutes.`);
      },
    );
  }
}
