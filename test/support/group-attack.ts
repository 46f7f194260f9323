import { daysOf, plusDays, type Day, type Period } from '../../src/core/base/time/calendar.ts';
import type { MessageView } from '../../src/sandbox/slack/people/control-types.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from './slack/conversation.ts';
import { formValues, type FormChoices } from './digests.ts';
import { moveClock } from './scene-clock.ts';
import { isolatesSomebody, type NamedSum } from './group-oracle.ts';
import { askValues } from './limits/limits.ts';
import { nextView, openByCommand, submitForm, textOfView } from './slack/modals.ts';
import { anyRefusal } from './slack/refusals.ts';
import { predict } from './prediction.ts';
import type { TestApp } from './test-app.ts';

const CHANNEL = 'agent-usage';
const ATTACKER = { handle: 'morgan', email: 'morgan.manager@acme.example', name: 'Morgan Reyes' };
/** They have accounts in Slack, and none on the platform: to fill up a group. */
const GHOSTS = ['ghost1', 'ghost2', 'ghost3', 'ghost4'];
/** The days of the requests. */
const WINDOW: Period = { first: '2026-01-19', last: '2026-03-22' };
/** Groups that an admin chose as teams. */
const TEAMS = ['team-a', 'team-b', 'team-c'];

export interface Attack {
  /** One more try, of any kind. */
  tryOnce(): Promise<void>;
  /** Returns the people whose figures follow from the shown sums and the public totals. */
  findVictims(): string[];
  /** The number of shown sums, and of refusals. */
  counts(): { shown: number; refused: number };
}

interface Group {
  handle: string;
  id: string;
  /** The members as Slack listed them, one after another: the bot's cached list may be older. */
  members: string[][];
}

/** A manager who may change user groups, and requests everything that a manager can, if people are for admins alone. */
export async function startAttack(scene: TestApp, random: () => number): Promise<Attack> {
  const { slack, platform } = scene;
  for (const { email, name } of platform.organization.people) {
    if (email === null || slack.workspace.findPerson(email)) continue;
    await slack.control.addPerson({ handle: email.split('@')[0] ?? email, name, email });
  }
  for (const handle of GHOSTS) await slack.control.addPerson({ handle, name: handle, email: `${handle}@acme.example` });
  const known = platform.organization.people.flatMap(({ email }) => email ?? []);
  /** A person without an e-mail on the platform is keyed by an id. */
  const keysOfAll = platform.organization.people.map(({ email, id }) => email ?? id);
  const everyone = [...known, ...GHOSTS.map((handle) => `${handle}@acme.example`)];
  const groups = new Map<string, Group>();
  const sums: NamedSum[] = [];
  const counts = { shown: 0, refused: 0 };

  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from');
    return item;
  };
  const some = (count: number) =>
    everyone
      .map((email) => ({ email, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, count)
      .map(({ email }) => email);
  /** Often the members of another group, except for one or two. */
  const membersNow = () => {
    const last = groups.size === 0 ? undefined : pick([...groups.values()]).members.at(-1);
    if (!last || random() < 0.3) return some(4 + Math.floor(random() * 10));
    const changed = new Set(last);
    for (const email of some(1 + Math.floor(random() * 2))) if (!changed.delete(email)) changed.add(email);
    return changed.size === 0 ? some(1) : [...changed];
  };
  const setGroup = async (handle: string, members: string[]): Promise<Group> => {
    const { id } = await slack.control.setUserGroup({ handle, members });
    const group = groups.get(handle) ?? { handle, id, members: [] };
    group.members.push(members);
    groups.set(handle, group);
    return group;
  };
  const spans = daysOf(WINDOW);
  /** Mostly whole weeks, of which most can be shown and so combined. */
  const period = (): Period => {
    const kind = random();
    const [one, other] = [pick(spans), pick(spans)];
    if (kind < 0.2) return { first: one, last: one };
    if (kind < 0.4) return one < other ? { first: one, last: other } : { first: other, last: one };
    const monday = plusDays(WINDOW.first, 7 * Math.floor((random() * spans.length) / 7));
    return { first: monday, last: plusDays(monday, 6) };
  };

  const truthOf = (emails: readonly string[], of: Period): number => {
    const { people } = predict(platform.organization, of);
    return emails.reduce((sum, email) => sum + (people.get(email.toLowerCase()) ?? 0), 0);
  };
  /** Stores a shown sum; its members follow from the value. */
  const collect = (group: Pick<Group, 'handle' | 'members'>, shown: string, of: Period, isByDay = false) => {
    const value = readAmount(shown);
    const own = group.members.findLast((emails) => isAbout(value, truthOf(emails, of)));
    if (!own) throw new Error(`${shown} of ${group.handle} in ${of.first}..${of.last} is no group’s sum`);
    counts.shown += 1;
    sums.push({ emails: own, period: of, isByDay });
    return own;
  };
  const before = ({ first, last }: Period): Period => {
    const shift = Math.ceil(daysOf({ first, last }).length / 7) * 7;
    return { first: plusDays(first, -shift), last: plusDays(last, -shift) };
  };
  const takeAnswer = (group: Group, of: Period, message: MessageView) => {
    const said = everythingIn(message);
    assertNobodyIsNamed(said);
    if (!/Usage of @|credits for @/.test(said)) {
      counts.refused += 1;
      return;
    }
    const nothing = message.text.includes('No credits used') ? '0' : undefined;
    const shown = /([\d.,]+(?: [KMB])?) credits/.exec(message.text)?.[1] ?? nothing;
    if (shown === undefined) throw new Error(`No figure in: ${message.text}`);
    const own = collect(group, shown, of, /by day|data_visualization/.test(said));
    if (/credits, |, (\d+% |more than |up|down|the same|about|nor)/.test(message.text))
      sums.push({ emails: own, period: before(of), isByDay: false });
  };
  const assertNobodyIsNamed = (said: string) => {
    for (const { email, name } of platform.organization.people) {
      if (email === ATTACKER.email || email === null) continue;
      if (said.includes(email) || said.includes(name))
        throw new Error(`${name} is named in: …${said.slice(Math.max(0, said.indexOf(name) - 300)).slice(0, 500)}`);
    }
  };
  const say = (command: string, text: string) => typeCommand(slack, ATTACKER.handle, command, text, CHANNEL);
  const forge = async (actionId: string, value: string) => {
    const answer = await say('/usage', 'yesterday');
    const since = slack.mark();
    const source = { in: 'message' as const, channel: CHANNEL, ts: answer.ts };
    const forged = { type: 'button', action_id: actionId, value };
    await slack.control.click({ as: ATTACKER.handle, source, actionId, forged });
    return nextAnswer(slack, since);
  };

  let made = 0;
  const askForGroup = async () => {
    const group =
      random() < 0.15 && groups.size > 3 ? pick([...groups.values()]) : await setGroup(`g${(made += 1)}`, membersNow());
    const of = period();
    const days = `${of.first}..${of.last}`;
    const kind = random();
    if (kind < 0.8) {
      const answer = await say('/usage', `${days} ${pick(['', '', 'credits'])} @${group.handle}`);
      takeAnswer(group, of, answer);
      if (!/Usage of @/.test(answer.text) || random() > 0.1) return;
      const since = slack.mark();
      await clickButton(slack, ATTACKER.handle, answer, 'Share', CHANNEL);
      takeAnswer(group, of, (await slack.next('message', undefined, { since })).message);
    } else if (kind < 0.9)
      takeAnswer(group, of, await forge('usage_show_more', `summary ${days} <!subteam^${group.id}>`));
    else {
      const answer = await (random() < 0.5
        ? say('/usage', `${days} @${group.handle} ${pick(['csv', 'people', 'people csv'])}`)
        : forge('usage_csv', `summary ${days} <!subteam^${group.id}>`));
      counts.refused += 1;
      if (!anyRefusal('admin').test(answer.text)) throw new Error(`Not refused: ${answer.text}`);
    }
  };
  const askForNames = async () => {
    const email = pick(known.filter((one) => one !== ATTACKER.email));
    const words = pick([
      email,
      `${email} csv`,
      'people',
      'people csv',
      'moved',
      'more',
      'moved more',
      'teams csv',
      'summary',
    ]);
    assertNobodyIsNamed(everythingIn(await say('/usage', `7d ${words}`)).replaceAll(email, ''));
    const actionId = pick(['usage_show_more', 'usage_show_rest', 'usage_csv', 'usage_share', 'usage_share_with_names']);
    const refusal = await forge(actionId, pick(['people 7d', `summary 7d ${email}`, `people 7d ${email}`]));
    assertNobodyIsNamed(everythingIn(refusal).replaceAll(email, ''));
  };
  const tryLimits = async () => {
    const group = await setGroup(`g${(made += 1)}`, some(1 + Math.floor(random() * 3)));
    const refusal = await say('/limits', `simulate @${group.handle} ${pick(['1k', '100k', '5m'])} per week`);
    if (!anyRefusal('admin').test(refusal.text)) throw new Error(`Not refused: ${refusal.text}`);
    const email = pick(known.filter((one) => one !== ATTACKER.email));
    await openByCommand(slack, ATTACKER.handle, '/limits', 'import');
    const list = { list: { list: `${email},${Math.ceil(random() * 1_000_000)}` } };
    const preview = textOfView(await submitForm(slack, ATTACKER.handle, list));
    if (/used/.test(preview)) throw new Error(`Usage of a person is shown: ${preview}`);
    await openByCommand(slack, ATTACKER.handle, '/limits', 'request');
    const asked = textOfView(await submitForm(slack, ATTACKER.handle, askValues({ emails: email, amount: '1' })));
    if (/used/.test(asked)) throw new Error(`Usage of a person is shown: ${asked}`);
  };
  const askForTeams = async () => {
    if (random() < 0.5) {
      await setGroup(pick(TEAMS), membersNow());
      // The user groups are read once an hour.
      await moveClock(scene, new Date(scene.clock.now().getTime() + 61 * 60_000));
    }
    const of = period();
    const { text } = await say('/usage', `teams ${of.first}..${of.last}`);
    assertNobodyIsNamed(text);
    const lines = [...text.matchAll(/(@team-[abc]|No team): Credits ([\d,.]+), Share [^,]+(?:, Change ([^,;.]+))?/g)];
    if (lines.length === 0) counts.refused += 1;
    for (const [, name = '', amount = '', change] of lines) {
      const teams = TEAMS.flatMap((handle) => groups.get(handle) ?? []);
      // People in no team are all people except those of the teams, of which the bot may know an older state.
      const group = groups.get(name.slice(1)) ?? { handle: name, members: restsOf(teams) };
      const own = collect(group, amount, of);
      if (change !== undefined && change !== '–') sums.push({ emails: own, period: before(of), isByDay: false });
    }
  };
  const restsOf = (teams: readonly Group[]): string[][] => {
    const combine = (index: number, taken: ReadonlySet<string>): string[][] => {
      const team = teams[index];
      if (!team) return [keysOfAll.filter((email) => !taken.has(email))];
      return team.members.slice(-4).flatMap((members) => combine(index + 1, new Set([...taken, ...members])));
    };
    return combine(0, new Set());
  };
  const digests = new Map<string, string>();
  /** The form refuses a digest of a group of few active people. */
  const setUpUnlessRefused = async (choices: FormChoices): Promise<string | undefined> => {
    await openByCommand(slack, ATTACKER.handle, '/digest', 'new');
    const said = textOfView(await submitForm(slack, ATTACKER.handle, formValues(choices)));
    const id = /Its id is `(\w+)`/.exec(said)?.[1];
    if (id === undefined) counts.refused += 1;
    if (id === undefined && !said.includes('Totals for fewer than 5 people')) throw new Error(`Not set up: ${said}`);
    return id;
  };
  const askForDigest = async () => {
    const group = groups.get(pick(TEAMS));
    if (!group) return;
    const choices = {
      where: 'me' as const,
      channel: null,
      audience: group.id,
      rhythm: 'daily',
      at: '09:00',
      zone: 'UTC',
    };
    const id = digests.get(group.handle) ?? (await setUpUnlessRefused(choices));
    if (id === undefined) return;
    digests.set(group.handle, id);
    const day: Day = plusDays(scene.clock.now().toISOString().slice(0, 10), -1);
    takeAnswer(group, { first: day, last: day }, await say('/digest', `preview ${id}`));
  };
  const budgets = new Map<string, string>();
  const askForBudget = async () => {
    const group = groups.get(pick(TEAMS));
    if (!group) return;
    const today = scene.clock.now().toISOString().slice(0, 10);
    const take = (said: string) => {
      assertNobodyIsNamed(said);
      const shown = /([\d.,]+(?: [KMB])?) of 90 M credits used/.exec(said)?.[1];
      if (shown === undefined) {
        counts.refused += 1;
        return;
      }
      collect(
        group,
        shown,
        { first: `${today.slice(0, 7)}-01`, last: plusDays(today, -1) },
        /data_visualization/.test(said),
      );
    };
    const id = budgets.get(group.handle);
    if (id !== undefined) return take(everythingIn(await say('/budget', `show ${id}`)));
    await openByCommand(slack, ATTACKER.handle, '/budget', 'new');
    const fields = { credits: '90m', whose: group.id, where: 'me', channel: null };
    const done = textOfView(await submitForm(slack, ATTACKER.handle, formValues(fields)));
    const newId = /Its id is `(\w+)`/.exec(done)?.[1];
    if (newId !== undefined) budgets.set(group.handle, newId);
    take(done);
  };
  const watchAndLookAround = async () => {
    const group = await setGroup(`g${(made += 1)}`, some(1 + Math.floor(random() * 6)));
    assertNobodyIsNamed((await say('/usage', `watch me @${group.handle}`)).text);
    const since = slack.mark();
    await slack.control.openHome({ as: ATTACKER.handle });
    const { view } = await slack.next('home_published', ({ view: one }) => !textOfView(one).includes('One moment …'), {
      since,
    });
    // The author of a change of the controls appears there, which is no figure.
    const [figures = ''] = textOfView(view).split('Enterprise controls');
    assertNobodyIsNamed(figures);
  };

  for (const handle of TEAMS) await setGroup(handle, some(6));
  const answer = await typeCommand(slack, 'ada', '/usage', 'teams', CHANNEL);
  const since = slack.mark();
  await clickButton(slack, 'ada', answer, 'Choose teams', CHANNEL);
  await nextView(slack, since);
  const ids = TEAMS.map((handle) => groups.get(handle)?.id ?? '');
  await submitForm(slack, 'ada', { teams: { teams: ids } });

  const tries: [weight: number, run: () => Promise<void>][] = [
    [64, askForGroup],
    [12, askForNames],
    [10, askForTeams],
    [4, tryLimits],
    [4, askForDigest],
    [4, askForBudget],
    [2, watchAndLookAround],
  ];
  return {
    tryOnce: async () => {
      let at = random() * 100;
      const found = tries.find(([weight]) => (at -= weight) < 0);
      await (found?.[1] ?? askForGroup)();
    },
    findVictims: () => isolatesSomebody(platform.organization, sums, ATTACKER.email),
    counts: () => counts,
  };
}

/** @example readAmount('5.68 M') // 5_680_000 */
function readAmount(text: string): number {
  const [, digits = '', unit = ''] = /^([\d.,]+)(?: ([KMB]))?$/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * ({ K: 1e3, M: 1e6, B: 1e9 }[unit] ?? 1);
}

/** Three digits are shown. */
const isAbout = (shown: number, truth: number) => Math.abs(shown - truth) <= Math.max(1, truth * 0.006);
