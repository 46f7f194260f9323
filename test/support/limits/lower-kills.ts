import type { CheckpointName } from '../../../src/core/base/checkpoint.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { isTeamRules } from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { findPolicy } from '../../../src/features/limit-policies/store/policy-store.ts';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { formValues } from '../digests.ts';
import { setCrashScene, type CrashScene } from '../processes/crash-scene.ts';
import { clickButton, typeCommand } from '../slack/conversation.ts';
import { fillForm, nextView, textOfView } from '../slack/modals.ts';
import { readDatabase } from '../stores/databases.ts';
import { AFTER_THE_LEASES_MS, FIRST_MORNING, untilNothingIsResumed } from './limit-kills.ts';
import { untilQuiet } from './limits.ts';
import { policyNoticesTo } from './policies.ts';
import { createTeam, setMembers, TEAM_SETTINGS } from './teams.ts';

/** Every step between the form *Lower the pool* and its messages. */
export const LOWERING_DEATHS: readonly CheckpointName[] = [
  'limits:before_lowering',
  'limits:in_lowering',
  'limits:after_lowering',
  'outbox:before_claim',
  'outbox:after_claim',
  'outbox:before_post',
  'outbox:after_post',
  'outbox:before_settle',
];

/** The result of one kill, once the next bot had finished. */
interface LoweringRound {
  at: CheckpointName;
  ending: string;
  /** Versions that were added. */
  lowered: number;
  isRightPool: boolean;
  /** What both admins and the other lead were told. */
  told: readonly number[];
  /** The form of the lead says what holds now. */
  isAnswered: boolean;
}

/** The pool is lowered once, each admin and other lead is told once, and the lead reads that it is done. */
export const loweringsAsPromised = (deaths: readonly CheckpointName[]): LoweringRound[] =>
  deaths.map((at) => ({ at, ending: 'died', lowered: 1, isRightPool: true, told: [1, 1, 1], isAnswered: true }));

/** Kills the bot at one step after another while a lead lowers the pool; the next bot finishes it. */
export async function killWhileLowering(engine: Engine, deaths: readonly CheckpointName[]): Promise<LoweringRound[]> {
  const scene = await setCrashScene(engine, FIRST_MORNING, TEAM_SETTINGS);
  const rounds: LoweringRound[] = [];
  try {
    let bot = await scene.startBot();
    setMembers(scene, ['U0MIA', 'U0NORA', 'U0MAX']);
    const id = await createTeam(scene, { leads: ['U0NORA', 'U0MAX'] });
    for (const [round, at] of deaths.entries()) {
      const pool = 299 - round;
      const before = await readTeam(scene, id);
      await openForm(scene);
      await fillForm(scene.slack, 'nora', formValues({ pool: `${pool}m` }));
      bot.dieAt(at);
      await scene.slack.control.submit({ as: 'nora' }).catch(() => undefined);
      const ending = await bot.ended;
      scene.moveTo(new Date(scene.clock.now().getTime() + AFTER_THE_LEASES_MS));
      bot = await scene.startBot();
      await untilNothingIsResumed(scene);
      await untilQuiet(scene);
      const after = await readTeam(scene, id);
      const told = await Promise.all(
        ['ada', 'morgan', 'max'].map(async (as) => {
          const notices = await policyNoticesTo(scene, as);
          return notices.filter((text) => text.includes(` to ${pool} M.`)).length;
        }),
      );
      rounds.push({
        at,
        ending,
        lowered: after.version - before.version,
        isRightPool: after.pool === pool * 1_000_000,
        told,
        isAnswered: (await shownTo(scene, 'nora')).includes('✅ *Lowered.*'),
      });
      await scene.slack.control.close({ as: 'nora', all: true }).catch(() => undefined);
    }
    return rounds;
  } finally {
    await scene.close();
  }
}

async function openForm(scene: CrashScene): Promise<void> {
  const team = await typeCommand(scene.slack, 'nora', '/limits', 'team');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'nora', team, 'Lower the pool');
  await nextView(scene.slack, since, /Highest limit/);
}

async function readTeam({ databaseUrl }: CrashScene, id: string): Promise<{ version: number; pool: number | null }> {
  const db = readDatabase(databaseUrl);
  const policy = await findPolicy(withPolicies(db), id);
  await db.destroy();
  if (!policy || !isTeamRules(policy.rules)) throw new Error(`No team ${id}`);
  return { version: policy.version, pool: policy.rules.pool };
}

/** The top form, as it is now, and the direct messages. */
async function shownTo(scene: CrashScene, as: string): Promise<string> {
  const { modals, channels } = await scene.slack.control.state({ as });
  const direct = channels.filter(({ kind }) => kind === 'dm').flatMap(({ messages }) => messages.slice(-1));
  return [...modals.map((view) => textOfView(view)), ...direct.map(({ text }) => text)].join('\n');
}
