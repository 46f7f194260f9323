import type { Desk } from './desk.ts';
import { done, part, type Job } from './job.ts';
import { DEFAULT_SCOPES } from '../../../src/sandbox/slack/model/seed.ts';

const NEEDED = /is for [^\n]*/;

/** Sets up a digest by words that fill its form. @returns its id */
async function weeklyDigest(desk: Desk, words: string): Promise<string> {
  await desk.openForm(`/digest new ${words}`, /How often/);
  await desk.submit();
  const made = await desk.seesForm(/✅/);
  await desk.close();
  return part(made, /Its id is \w+/).slice('Its id is '.length);
}

export const laterJobs: readonly Job[] = [
  {
    number: 25,
    who: 'manager',
    title: 'pause a digest over the holidays, until a day',
    run: async (desk) => {
      await desk.be('morgan');
      await desk.open('general');
      const id = await weeklyDigest(desk, 'weekly #general summary');
      const paused = await desk.type(`/digest pause ${id} until jan 7`, /You paused/);
      await desk.be('mia');
      await desk.open('general');
      const refusal = await desk.type(`/digest pause ${id} until jan 7`, NEEDED);
      return done(`${part(paused, /You paused[^\n]*/)} / a member: ${part(refusal, NEEDED)}`);
    },
  },
  {
    number: 26,
    who: 'member',
    title: 'who saw my figures, and who can?',
    run: async (desk) => {
      await desk.be('mia');
      await desk.open('home');
      const home = await desk.seesHome(/can look up your figures/);
      await desk.be('gus');
      await desk.open('general');
      const refusal = await desk.type('/usage me', /guest/i);
      return done(
        `${part(home, /\d+ other \w+ can look up your figures[^\n]*/)} / a guest: ${part(refusal, /[^\n]*guest[^\n]*/i)}`,
      );
    },
  },
  {
    number: 27,
    who: 'admin',
    title: 'somebody whom Slack deactivated: what is left, and end it',
    run: async (desk, { slack }) => {
      await slack.control.addPerson({ handle: 'lee', name: 'Lee Leaver', email: 'lee.leaver@acme.example' });
      await desk.be('lee');
      await desk.open('dm');
      await desk.type('/quartermaster token', /qmt_/);
      const lee = slack.workspace.findPerson('lee');
      if (!lee) throw new Error('Lee has no account');
      lee.isDeactivated = true;
      await desk.be('morgan');
      await desk.open('general');
      const refusal = await desk.type(`/quartermaster left ${lee.id}`, /admin/);
      await desk.be('ada');
      await desk.open('general');
      const left = await desk.type(`/quartermaster left ${lee.id}`, /Token of a coding client/);
      await desk.press('Revoke');
      await desk.seesForm(/No one has a token/);
      await desk.close();
      if (/Token of/.test(await desk.type(`/quartermaster left ${lee.id}`, /What belongs to/)))
        throw new Error('The token is still there');
      return done(`${part(left, /Their Slack account is deactivated[^\n]*/)} / a manager: ${part(refusal, NEEDED)}`);
    },
  },
  {
    number: 28,
    who: 'admin',
    title: 'what is lost without an optional scope?',
    run: async (desk, { slack }) => {
      const scopes = DEFAULT_SCOPES.filter((scope) => scope !== 'files:write');
      await slack.control.configure({ scopes });
      await desk.be('ada');
      await desk.open('general');
      const status = await desk.type('/quartermaster', /didn’t grant/);
      await desk.be('morgan');
      await desk.open('general');
      const file = await desk.type('/usage 7d csv', /can’t send files/);
      await slack.control.configure({ scopes: [...DEFAULT_SCOPES] });
      return done(
        `${part(status, /Slack didn’t grant[^\n]*/)} / a manager: ${part(file, /[^\n.]*can’t send files[^\n]*/)}`,
      );
    },
  },
  {
    number: 29,
    who: 'manager',
    title: 'weekly digest of a team: change, chart, forecast',
    run: async (desk) => {
      await desk.be('morgan');
      await desk.open('dm');
      const id = await weeklyDigest(desk, 'weekly me @web-team summary');
      await desk.be('mia');
      await desk.open('dm');
      const refusal = await desk.type(`/digest now ${id}`, NEEDED);
      await desk.be('morgan');
      await desk.open('dm');
      await desk.type(`/digest now ${id}`, /on its way/);
      const digest = await desk.seesLater(/for @web-team on/);
      await desk.sees(/Largest changes by day[\s\S]*Credits by day/);
      await desk.page.getByTestId('open-thread').last().click();
      const details = await desk.sees(/is on track for about/);
      return done(
        `${part(digest, /[\d.]+ M credits[^\n]*/)} / ${part(details, /[^\n]*on track[^\n]*/)} / a member: ${part(refusal, NEEDED)}`,
      );
    },
  },
  {
    number: 30,
    who: 'member',
    title: 'ask Slackbot, and go on to last month',
    run: async (desk) => {
      await desk.be('mia');
      await desk.open('general');
      await desk.askSlackbot('how much did I use last week?', /period: last week/);
      const said = await desk.pressInSlackbot('Last month', /period: last month/);
      await desk.be('gus');
      const refusal = await desk.askSlackbot('how much did I use last week?', /guest/i);
      return done(`${part(said, /[\d.]+ M credits[^\n]*/)} / a guest: ${part(refusal, /[^\n]*guest[^\n]*/i)}`);
    },
  },
];
