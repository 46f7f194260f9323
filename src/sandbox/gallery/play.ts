import { addColleagues } from './colleagues.ts';
import { budgetScenes } from './scenes/budgets.ts';
import { computerScenes } from './scenes/computers.ts';
import { controlScenes } from './scenes/controls.ts';
import { digestScenes } from './scenes/digests.ts';
import { homeScenes } from './scenes/home.ts';
import { hookScenes } from './scenes/hooks.ts';
import { limitApproverScenes } from './scenes/limits/limit-approvers.ts';
import { limitEndingScenes } from './scenes/limit-endings.ts';
import { limitScenes } from './scenes/limits.ts';
import { moneyScenes } from './scenes/money.ts';
import { policyScenes } from './scenes/limits/policies.ts';
import { retentionScenes } from './scenes/retention.ts';
import { privacyScenes } from './scenes/privacy.ts';
import { squadScenes } from './scenes/squad.ts';
import { readinessNoticeScenes, statusScenes } from './scenes/status.ts';
import { toolScenes, wordScenes } from './scenes/questions.ts';
import { hardUsageScenes, longNameScenes, usageScenes } from './scenes/usage.ts';
import type { Gallery, Shot } from './shot.ts';
import { openStage } from './stage.ts';

/** A Tuesday morning in Berlin, before the digest. */
const START = new Date('2026-11-24T06:30:00Z');
const SCENES = [homeScenes, usageScenes, limitScenes, computerScenes, controlScenes, digestScenes, statusScenes];

/**
 * Plays every scene with the real bot against the sandbox, and records what people see.
 *
 * @param onShot called with each shot, for a line of progress
 * @param commandPrefix the prefix of each command in this workspace
 * @throws if a screen of the gallery was not shown
 */
export async function playGallery(onShot: (shot: Shot) => void = () => {}, commandPrefix = ''): Promise<Gallery> {
  const shots: Shot[] = [];
  const keep = async (scenes: AsyncGenerator<Shot>) => {
    for await (const shot of scenes) {
      shots.push(shot);
      onShot(shot);
    }
  };
  const stage = await openStage({ people: 60, seed: 1, startAt: START, commandPrefix });
  try {
    await addColleagues(stage);
    for (const scenes of SCENES) await keep(scenes(stage));
    const snapshot = await stage.slack.control.state({ as: 'ada' });
    for (const scenes of [
      limitEndingScenes,
      limitApproverScenes,
      policyScenes,
      privacyScenes,
      hookScenes,
      toolScenes,
      wordScenes,
      budgetScenes,
      moneyScenes,
      squadScenes,
      readinessNoticeScenes,
      retentionScenes,
      hardUsageScenes,
      longNameScenes,
    ])
      await keep(scenes(START, commandPrefix));
    return {
      shots,
      snapshot: { ...snapshot, channels: snapshot.channels.map((channel) => ({ ...channel, messages: [] })) },
    };
  } finally {
    await stage.stop();
  }
}
