import type { Shot } from '../page/shot.ts';
import { budgetScenes } from './scenes/budgets.ts';
import { hookScenes } from './scenes/hooks.ts';
import { limitApproverScenes } from './scenes/limits/limit-approvers.ts';
import { limitEndingScenes } from './scenes/limit-endings.ts';
import { limitsInForceScenes } from './scenes/limits/limits-in-force.ts';
import { moneyScenes } from './scenes/money.ts';
import { policyScenes } from './scenes/limits/policies.ts';
import { teamScenes } from './scenes/limits/teams.ts';
import { retentionScenes } from './scenes/retention.ts';
import { privacyScenes } from './scenes/privacy.ts';
import { squadScenes } from './scenes/squad.ts';
import { readinessNoticeScenes } from './scenes/status.ts';
import { toolScenes, wordScenes } from './scenes/questions.ts';
import { hardUsageScenes, longNameScenes } from './scenes/usage.ts';

/** Scenes that each start a bot and a sandbox of their own, in parts that take about the same time. */
const PARTS = [
  [limitEndingScenes, limitApproverScenes, policyScenes, teamScenes, privacyScenes, hookScenes, toolScenes, wordScenes],
  [budgetScenes, moneyScenes, squadScenes, readinessNoticeScenes, retentionScenes, hardUsageScenes, longNameScenes],
  [limitsInForceScenes],
];

export const SCENE_PARTS = PARTS.map((_, part) => part);

export interface SceneOptions {
  part: number;
  startAt: Date;
  commandPrefix: string;
}

export async function* separateScenes({ part, startAt, commandPrefix }: SceneOptions): AsyncGenerator<Shot> {
  for (const scenes of PARTS[part] ?? []) yield* scenes(startAt, commandPrefix);
}
