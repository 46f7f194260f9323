import { describe, expect, test } from 'vitest';
import type { CheckpointName } from '../../src/core/base/checkpoint.ts';
import { availableEngines } from '../support/stores/databases.ts';
import { LEFT, restoreAmidSending, SENT } from '../support/limits/limit-restores.ts';

const STEPS: readonly CheckpointName[] = [
  'limits:after_decision',
  'limits:after_claim',
  'limits:before_put',
  'limits:after_put',
];

describe.each(availableEngines())('a backup of the middle of sending a limit, restored later on %s,', (engine) => {
  test.each(STEPS)('repeats no request by itself if it was taken %s', async (step) => {
    expect(await restoreAmidSending(engine, step, 'limits_leave')).toEqual(LEFT);
    expect(await restoreAmidSending(engine, step, 'limits_send')).toEqual(SENT);
  });
});
