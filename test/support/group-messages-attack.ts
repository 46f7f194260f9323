import { daysOf, plusDays, type Day, type Period } from '../../src/core/base/time/calendar.ts';
import { formValues, messagesIn, setUpDigest, until } from './digests.ts';
import { moveClock, whileTimePasses } from './scene-clock.ts';
import { SETTLED } from './outbox/until-settled.ts';
import { isolatesSomebody, type NamedSum } from './group-oracle.ts';
import { dayNumber } from '../../src/sandbox/platform/model/calendar.ts';
import { foldDay } from '../../src/sandbox/platform/model/day-figures.ts';
import { openByCommand, submitForm } from './slack/modals.ts';
import { typeCommand } from './slack/conversation.ts';
import type { TestApp } from './test-app.ts';

const ATTACKER = { handle: 'morgan', email: 'morgan.manager@acme.example' };
const GROUP = 'squad';
const MORNING = { rhythm: 'daily', at: '09:00', zone: 'UTC', sections: ['summary', 'credits'] };

export interface MessagesAttack {
  /** Changes the group, makes the next day unusual at times, and reads all messages of the morning after. */
  nextDay(): Promise<void>;
  findVictims(): string[];
  countShown(): number;
}

/**
 * A manager who may change a user group has its figures sent to a channel and to themselves: digests, warnings of
 * budgets with many thresholds, and unusual days. They record each amount that was sent, with its members.
 */
export async function startMessagesAttack(scene: TestApp, random: () => number): Promise<MessagesAttack> {
  const { slack, platform } = scene;
  for (const { email, name } of platform.organization.people) {
    if (email === null || slack.workspace.findPerson(email)) continue;
    await slack.control.addPerson({ handle: email.split('@')[0] ?? email, name, email });
  }
  const everyone = platform.organization.people.flatMap(({ email }) => email ?? []);
  const groups: string[][] = [];
  const factors = new Map<Day, number>();
  const sums: NamedSum[] = [];
  const read = new Set<string>();

  const setGroup = async (members: readonly string[]) => {
    groups.push([...members]);
    return (await slack.control.setUserGroup({ handle: GROUP, members: [...members] })).id;
  };
  const someOf = (count: number) =>
    everyone
      .map((email) => ({ email, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, count)
      .map(({ email }) => email);
  const changed = (): string[] => {
    const members = new Set(groups.at(-1));
    for (const email of someOf(1 + Math.floor(random() * 3))) if (!members.delete(email)) members.add(email);
    return members.size < 2 ? someOf(8) : [...members];
  };

  const usedOn = (emails: readonly string[], day: Day): number => {
    const { users } = foldDay(platform.organization, dayNumber(day), factors.get(day) ?? 1);
    const wanted = new Set(emails);
    return [...users.values()].reduce(
      (sum, row) => sum + (wanted.has(row.user_email?.toLowerCase() ?? row.user_id) ? row.billable_tokens : 0),
      0,
    );
  };
  const truthOf = (emails: readonly string[], period: Period) =>
    daysOf(period).reduce((sum, day) => sum + usedOn(emails, day), 0);
  const collect = (shown: string, period: Period, said: string, isByDay = false) => {
    const value = readAmount(shown);
    const own = groups.findLast((emails) => isAbout(value, truthOf(emails, period)));
    if (!own) throw new Error(`${shown} in ${period.first}..${period.last} is the sum of no members: ${said}`);
    sums.push({ emails: own, period, isByDay });
    return own;
  };

  /** Every amount of the group that a message shows. */
  const take = (said: string, today: Day) => {
    const yesterday = plusDays(today, -1);
    const month = { first: `${yesterday.slice(0, 7)}-01`, last: yesterday };
    const digestDay = /Daily digest, \w{3} (\d{1,2} \w{3})/.exec(said)?.[1];
    for (const [, amount = ''] of said.matchAll(/([\d.,]+(?: [KMB])?) credits for @squad/g))
      collect(amount, dayOf(digestDay ?? '', today), said);
    for (const [, amount = ''] of said.matchAll(/([\d.,]+(?: [KMB])?) of 900 M credits used/g)) {
      const own = collect(amount, month, said);
      // A forecast depends on each of the days.
      if (said.includes('On track')) sums.push({ emails: own, period: month, isByDay: true });
    }
    for (const [, date = '', amount = ''] of said.matchAll(
      /\w{3} (\d{1,2} \w{3}) was (?:unusually \w+ for @squad\.\*?|as usual:|usual for @squad:\*?) ([\d.,]+(?: [KMB])?) credits/g,
    ))
      collect(amount, dayOf(date, today), said);
  };
  const readMail = async (today: Day) => {
    for (const [place, as] of [
      ['agent-usage', 'ada'],
      ['dm', ATTACKER.handle],
    ] as const) {
      const { posts, replies } = await messagesIn(scene, place, as).catch(() => ({ posts: [], replies: [] }));
      for (const { ts, text } of [...posts, ...replies]) {
        if (read.has(`${place} ${ts} ${text}`) || !text.includes('@squad')) continue;
        read.add(`${place} ${ts} ${text}`);
        for (const { email, name } of platform.organization.people)
          if (email !== ATTACKER.email && email !== null && (text.includes(email) || text.includes(name)))
            throw new Error(`${name} is named: ${text}`);
        take(text, today);
      }
    }
  };

  const id = await setGroup(someOf(9));
  const say = (command: string, text: string) => typeCommand(slack, ATTACKER.handle, command, text, 'agent-usage');
  const digest = await setUpDigest(scene, { ...MORNING, audience: id }, ATTACKER.handle);
  const own = { ...MORNING, audience: id, where: 'me' as const, channel: null };
  await setUpDigest(scene, own, ATTACKER.handle);
  await say('/usage', 'watch #agent-usage @squad');
  await say('/usage', 'watch me @squad');
  for (const place of [{}, { where: 'me', channel: null }]) {
    await openByCommand(slack, ATTACKER.handle, '/budget', 'new');
    const terms = { credits: '900m', whose: id, actual: '1, 2, 3, 4, 6, 8, 10, 12', forecast: '5, 10, 15' };
    await submitForm(slack, ATTACKER.handle, formValues({ ...terms, ...place }));
  }
  return {
    nextDay: async () => {
      if (random() < 0.7) await setGroup(changed());
      const day = scene.clock.now().toISOString().slice(0, 10);
      const factor = random() < 0.4 ? 8 : 1;
      if (factor > 1) platform.reviseDay(day, factor);
      factors.set(day, factor);
      const today = plusDays(day, 1);
      await moveClock(scene, new Date(`${today}T09:01:00Z`));
      // The jobs of this minute evaluate the published day, and enqueue all messages that it causes.
      await whileTimePasses(scene, scene.clock.whenTicked());
      await until(scene, (db) =>
        db
          .selectFrom('deliveries')
          .selectAll()
          .where('key', '=', `digest:${digest.id}:${today}`)
          .where('state', 'in', ['sent', 'skipped'])
          .executeTakeFirst(),
      );
      await until(scene, async (db) => {
        const open = await db.selectFrom('deliveries').select('key').where('state', 'not in', SETTLED).execute();
        return open.length === 0 ? 'all are settled' : undefined;
      });
      await readMail(today);
    },
    findVictims: () => isolatesSomebody(platform.organization, sums, ATTACKER.email),
    countShown: () => sums.length,
  };
}

/** @example dayOf('24 Mar', '2026-03-25') // the day as a period */
function dayOf(date: string, today: Day): Period {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  const [number = '', month = ''] = date.split(' ');
  const day = `${today.slice(0, 4)}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${number.padStart(2, '0')}`;
  return { first: day, last: day };
}

/** @example readAmount('5.68 M') // 5_680_000 */
function readAmount(text: string): number {
  const [, digits = '', unit = ''] = /^([\d.,]+)(?: ([KMB]))?$/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * ({ K: 1e3, M: 1e6, B: 1e9 }[unit] ?? 1);
}

/** Three digits are shown. */
const isAbout = (shown: number, truth: number) => Math.abs(shown - truth) <= Math.max(1, truth * 0.006);
