import { markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { header, section, type Block } from '../../../core/slack/blocks/blocks.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import type { AttentionItem } from '../../../core/slack/interactions/interactions.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { listPolicies } from '../store/policy-store.ts';
import { readPolicyUsage } from '../store/policy-usage.ts';
import { capPeriod } from '../rules/windows.ts';
import { stateWord } from '../store/policy-words.ts';

const open = () => runCommandButton('Open', '/limits', commandText`policies`);

/** Drafts that wait for an admin, and policies that paused by themselves. */
export async function readPolicyAttention({ db }: Pick<PolicyDeps, 'db'>): Promise<AttentionItem[]> {
  const policies = await listPolicies(db);
  const waiting = policies.filter(({ state, backTestedAt }) => state === 'draft' && backTestedAt !== undefined);
  const paused = policies.filter(({ state, pausedBy }) => state === 'paused' && pausedBy === null);
  const held = policies.filter(({ state, held: agreed }) => state === 'removed' && agreed !== undefined);
  return [
    ...(held.length === 0
      ? []
      : [
          {
            line: markup`🔒 *${countOf(held.length, 'deleted limit policy still holds its', 'deleted limit policies still hold their')} people.*`,
            button: open(),
          },
        ]),
    ...(paused.length === 0
      ? []
      : [{ line: markup`⏸️ *${countOf(paused.length, 'limit policy', 'limit policies')} paused.*`, button: open() }]),
    ...(waiting.length === 0
      ? []
      : [
          {
            line: markup`📝 *${countOf(waiting.length, 'limit policy waits', 'limit policies wait')} for activation.*`,
            button: open(),
          },
        ]),
  ];
}

export async function policiesHome({ db, clock }: Pick<PolicyDeps, 'db' | 'clock'>): Promise<Block[]> {
  const policies = await listPolicies(db);
  if (policies.length === 0) return [];
  const now = clock.now();
  const usage = await readPolicyUsage(db, now, capPeriod(now, undefined));
  const states = Map.groupBy(policies, (policy) => stateWord(policy, now).toLowerCase());
  const words = [...states].map(([state, some]) => `${some.length} ${state}`).join(', ');
  const grants = countOf(
    sumOf([...usage.inWeek.values()], (count) => count),
    'grant',
  );
  return [header('Limit policies'), section(markup`${words} · ${grants} in the last 7 days`, open())];
}
