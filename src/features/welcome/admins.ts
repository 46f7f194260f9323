import { z } from 'zod';
import { readPeopleByDay, type Sums } from '../../core/analytics/amounts.ts';
import { notBeforeFirstDay, todayOf } from '../../core/analytics/period.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/base/time/durations.ts';
import { plusDays } from '../../core/base/time/calendar.ts';
import { joinMarkup, markup, type Markup } from '../../core/base/text/markup.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import { chosenGroups } from '../../core/figures/groups/chosen-teams.ts';
import type { Capability } from '../../core/platform/capabilities/capability.ts';
import { readLimitPeriod } from '../../core/figures/limit-period.ts';
import type { MessageHandler } from '../../core/outbox/message-kind.ts';
import { declareOwnerNotice } from '../../core/outbox/owner-notices.ts';
import { namesNobody } from '../../core/outbox/poster.ts';
import type { Job } from '../../core/schedule/job.ts';
import type { Services } from '../../core/services.ts';
import type { BlockMessage } from '../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, smallPrint, type AnyParagraph } from '../../core/slack/blocks/paragraphs.ts';
import { limitPeriodQuestion } from '../alerts/heads-ups/limit-period.ts';
import { sampleButton, setUpButton } from '../digests/core/digest-buttons.ts';
import { chooseTeamsButton } from '../teams/team-form.ts';
import { recordWelcome, wasWelcomed } from './welcome-table.ts';

type WelcomeDeps = Pick<Services, 'db' | 'clock' | 'config' | 'people' | 'days' | 'capabilities' | 'log'>;

const ADMINS = 'admins';
const RECENT_DAYS = 28;

const adminWelcome = declareOwnerNotice('welcome', z.object({}));

export const welcomeJob = ({ db, clock }: WelcomeDeps): Job => ({
  name: 'welcome-admins',
  cron: '* * * * *',
  purpose: 'writes to the admins after the first start',
  run: async () => {
    if (await wasWelcomed(db, ADMINS)) return;
    const now = clock.now();
    const isNew = !(await wasUsedBefore(db, new Date(now.getTime() - HOUR_MS)));
    await db.transaction().execute(async (trx) => {
      if ((await recordWelcome(trx, ADMINS, now)) && isNew)
        await adminWelcome.notify(trx, null, { key: 'welcome', payload: {} }, now);
    });
  },
});

/** A store of an earlier version has no first start any more. Asked once, so that it needs no index. */
async function wasUsedBefore(db: WelcomeDeps['db'], before: Date): Promise<boolean> {
  const at = before.toISOString();
  const rows = await Promise.all([
    db.selectFrom('deliveries').select('key').where('createdAt', '<', at).limit(1).execute(),
    db.selectFrom('subscriptions').select('id').where('createdAt', '<', at).limit(1).execute(),
  ]);
  return rows.some(({ length }) => length > 0);
}

export const adminMessages = (deps: WelcomeDeps): MessageHandler[] =>
  adminWelcome.handledBy(deps, async ({ dueAt }) => {
    const limits = await deps.capabilities.limits();
    const now = deps.clock.now();
    if (limits === undefined && now.getTime() < new Date(dueAt).getTime() + PATIENCE_MS)
      return {
        kind: 'wait',
        until: new Date(now.getTime() + ASK_AGAIN_MS),
        reason: 'The platform is still asked what it shows.',
      };
    return { kind: 'send', message: namesNobody(await welcomeMessage(deps, limits)) };
  });

/** The platform is asked what it shows in the first minute. */
const PATIENCE_MS = 3 * MINUTE_MS;
const ASK_AGAIN_MS = 10_000;

async function welcomeMessage(deps: WelcomeDeps, limits: Capability | undefined): Promise<BlockMessage> {
  const [found, next] = await Promise.all([whatItFound(deps, limits), nextSteps(deps)]);
  return messageOf(
    prose([
      markup`*Quartermaster is running.* It answers questions about usage, limits and controls here in Slack, and posts only what somebody sets up.`,
      markup`${joinMarkup(found, '  ·  ')}`,
    ]),
    ...next,
    smallPrint(markup`Type \`/quartermaster\` for all commands, and for how it is.`),
  );
}

async function whatItFound({ days, clock, people }: WelcomeDeps, limits: Capability | undefined): Promise<Markup[]> {
  const today = todayOf({ clock });
  const period = { first: notBeforeFirstDay(plusDays(today, -RECENT_DAYS)), last: plusDays(today, -1) };
  const [read, admins, managers] = await Promise.all([
    readPeopleByDay(days, period, { maxAgeMs: HOUR_MS }),
    people.admins(),
    people.managers(),
  ]);
  const active = read.kind === 'unreadable' ? undefined : activeIn(read.people.credits.values());
  return [
    active === undefined
      ? markup`⚠️ The figures can’t be read yet: \`/quartermaster\` says why`
      : markup`${countOf(active, 'person', 'people')} used credits in the last ${RECENT_DAYS} days`,
    markup`${countOf(admins.length, 'admin')}, ${managers.length === 0 ? markup`no managers yet (\`MANAGERS\`)` : markup`${countOf(managers.length, 'manager')}`}`,
    LIMIT_WORDS[limits?.state ?? 'failed'],
  ];
}

const LIMIT_WORDS: Readonly<Record<Capability['state'], Markup>> = {
  reads: markup`limits in force can be read`,
  none: markup`the platform doesn’t show limits in force: it knows those that are set here`,
  lost: markup`⚠️ limits in force can’t be read now`,
  refused: markup`⚠️ the platform refuses to show limits in force`,
  failed: markup`⚠️ limits in force can’t be read yet`,
};

const activeIn = (credits: Iterable<Sums>): number =>
  [...credits].filter((days) => days.some((amount) => amount > 0)).length;

/** Only what is not done yet. */
async function nextSteps({ db, config, people, log }: WelcomeDeps): Promise<AnyParagraph[]> {
  const [period, teams, groups, digest] = await Promise.all([
    readLimitPeriod({ db, config }),
    chosenGroups(db),
    people.teams().catch((error: unknown) => {
      log.warn({ err: error }, 'Reading the user groups failed; the admins are not asked to choose teams');
      return [];
    }),
    db.selectFrom('subscriptions').select('id').where('kind', '=', 'digest').limit(1).executeTakeFirst(),
  ]);
  return [
    ...(period === undefined ? await limitPeriodQuestion({ db }) : []),
    ...(teams.length === 0 && groups.length > 0
      ? [
          prose(markup`*Which user groups are teams?* \`/usage teams\` then compares them.`),
          buttonRow(chooseTeamsButton()),
        ]
      : []),
    ...(digest === undefined
      ? [prose(markup`*A first digest*, for a channel or for yourself.`), buttonRow(setUpButton(), sampleButton())]
      : [prose(markup`*The first digest* is set up.`), buttonRow(sampleButton())]),
  ];
}
