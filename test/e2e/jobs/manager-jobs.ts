import { done, part, refused, type Job } from './job.ts';

const TEAM_DIGEST = {
  Channel: '#agent-usage',
  'Whose figures?': '@checkout-squad',
  'How often?': 'Every day',
};

export const managerJobs: readonly Job[] = [
  {
    number: 7,
    who: 'manager',
    title: 'digest for my team: preview, edit, pause, why',
    refusedWith: ['PEOPLE_ROLE=admin'],
    run: async (desk, _demo, setting) => {
      await desk.be('morgan');
      await desk.open('agent-usage');
      await desk.openForm('/digest new', /How often/);
      await desk.fillForm(TEAM_DIGEST);
      if (setting === 'PEOPLE_ROLE=admin') return refused(part(await desk.seesForm(/Fewer than 5/), /Fewer than 5.*/));
      await desk.seesForm(/4 of @checkout-squad were active/);
      await desk.press('More options');
      await desk.fillForm({ 'What is in it?': ['Usage', 'People'] });
      await desk.submit();
      const made = await desk.seesForm(/✅/);
      await desk.close();
      await desk.type('/digest', /@checkout-squad/);
      await desk.press('Preview');
      await desk.press('Edit');
      await desk.fillForm({ 'At what time?': '08:30' });
      await desk.submit();
      await desk.close();
      await desk.press('Pause');
      await desk.type('/digest why', /digest/i);
      return done(made);
    },
  },
  {
    number: 8,
    who: 'manager',
    title: 'why did credits jump yesterday?',
    run: async (desk) => {
      await desk.be('morgan');
      await desk.open('general');
      await desk.type('/usage yesterday', /Usage, /);
      await desk.choose('View', 'What moved');
      return done(part(await desk.sees(/What moved, [\s\S]*By model/), /[\d.]+ M credits, [\s\S]*/));
    },
  },
  {
    number: 9,
    who: 'manager',
    title: 'monthly budget with warning',
    run: async (desk) => {
      await desk.be('morgan');
      await desk.open('general');
      await desk.openForm('/budget new', /How many credits/);
      await desk.fillForm({
        'How many credits?': '900m',
        'Whose credits?': 'The whole organization',
        'For how long?': 'Each month',
        Channel: '#general',
      });
      await desk.submit();
      return done(part(await desk.seesForm(/✅/), /✅[\s\S]*/));
    },
  },
  {
    number: 10,
    who: 'manager',
    title: 'who does not use it; spreadsheet',
    refusedWith: ['PEOPLE_ROLE=admin'],
    run: async (desk, _demo, setting) => {
      await desk.be('morgan');
      await desk.open('general');
      if (setting === 'PEOPLE_ROLE=admin') return refused(await desk.type('/usage people yesterday', /admin/));
      const people = await desk.type('/usage people yesterday', /No activity: \d+ of \d+/);
      await desk.press('CSV');
      await desk.sees(/\.csv/);
      return done(part(people, /No activity: .*/));
    },
  },
  {
    number: 11,
    who: 'manager',
    title: 'compare teams / months',
    run: async (desk) => {
      await desk.be('morgan');
      await desk.open('general');
      const teams = await desk.type('/usage @web-team vs @mobile-team', /Comparison/);
      const months = await desk.type('/usage october vs november', /Comparison/);
      return done([teams, months].map((text) => part(text, /.* credits( \(about .*\))?, .*/)).join(' / '));
    },
  },
];
