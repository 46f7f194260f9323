import type { Feature } from '../feature.ts';
import type { Job } from '../schedule/job.ts';
import { carryOut, CHECK_AFTER_MS } from './carry-out.ts';
import { claimErasure, dueErasures } from './core/erasures.ts';
import { ErasureListError } from './core/list-file.ts';
import { takeOverListed } from './listed.ts';
import type { ErasureServices } from './services.ts';
import { confirmForm, eraseForm, showEraseForm, TITLE } from './form.ts';

/** Erases people's data, when an admin or the operator asks for it. */
export function createErasureFeature(services: ErasureServices): Feature {
  return {
    name: 'erasure',
    jobs: [erasureJob(services)],
    forms: [eraseForm(services), confirmForm(services)],
    adminCommands: { erase: { title: TITLE, run: (_by, opened) => showEraseForm(services, opened) } },
  };
}

/** Takes over what the list knows and the store does not, and does what is due. */
function erasureJob(services: ErasureServices): Job {
  const { config, db, clock, log, erased } = services;
  const { erasuresFile } = config;
  return {
    name: 'erase-people',
    run: async () => {
      await takeOverListed(db, erasuresFile, clock.now());
      await erased.refresh();
      for (const erasure of await dueErasures(db, clock.now())) {
        const until = new Date(clock.now().getTime() + CHECK_AFTER_MS);
        if (!(await claimErasure(db, erasure, until))) continue;
        await carryOut({ ...services, erasuresFile, isBotRunning: true }, erasure).catch((error: unknown) => {
          const sentence = error instanceof ErasureListError ? error.message : 'An erasure was cut off';
          log.error({ err: error, erasure: erasure.id }, `${sentence} It is tried again in ten minutes.`);
        });
      }
    },
  };
}
