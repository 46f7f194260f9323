import { hooksOf, runInShell } from '../../support/hooks/shell.ts';
import { done, part, type Job } from './job.ts';

export const memberJobs: readonly Job[] = [
  {
    number: 1,
    who: 'member',
    title: 'used this month? will I run out?',
    run: async (desk) => {
      await desk.be('mia');
      await desk.open('home');
      return done(
        part(await desk.seesHome(/of your .* this month/), /[\d.]+ [KM] of your .*(?:reach it on|lasts until).*/),
      );
    },
  },
  {
    number: 2,
    who: 'member',
    title: 'ask for more, see, withdraw',
    run: async (desk) => {
      await desk.be('mia');
      await desk.open('home');
      await desk.press('Request more');
      await desk.fillForm({ 'New limit': '20m', 'Why?': 'Release week' });
      await desk.submit();
      await desk.seesForm(/Your request is/);
      await desk.close();
      await desk.open('general');
      await desk.type('/limits', /requests a credit limit of 20 M/);
      await desk.press('Withdraw');
      return done(part(await desk.sees(/The request \w+ is withdrawn/), /The request .*/));
    },
  },
  {
    number: 3,
    who: 'member',
    title: 'be warned before I run out',
    run: async (desk) => {
      await desk.be('mia');
      await desk.open('home');
      await desk.press('Warn me at 80%');
      await desk.seesForm(/My credit limit: /);
      await desk.submit();
      return done(part(await desk.seesForm(/✅/), /✅[\s\S]*/));
    },
  },
  {
    number: 4,
    who: 'member',
    title: 'computer for a repository',
    run: async (desk) => {
      await desk.be('mia');
      await desk.open('general');
      await desk.type('/readiness payments', /Easiest fixes/);
      await desk.press('Create a computer for it');
      await desk.fillForm({ Name: 'payments-mia', 'Remote user': 'agent', Provider: 'Whatever the platform chooses' });
      await desk.submit();
      await desk.seesForm(/The platform is creating payments-mia/);
      await desk.close();
      await desk.open('dm');
      await desk.sees(/Computer payments-mia/);
      return done(part(await desk.seesLater(/Your computer is ready/), /.*computer is ready.*/));
    },
  },
  {
    number: 5,
    who: 'member',
    title: 'readiness, easiest fix',
    run: async (desk) => {
      await desk.be('mia');
      await desk.open('general');
      await desk.type('/readiness', /least ready first/);
      await desk.press('Details of acme/payments');
      return done(part(await desk.sees(/Readiness of acme\/payments[\s\S]*Easiest fix/), /Easiest fix[\s\S]*/));
    },
  },
  {
    number: 6,
    who: 'member',
    title: 'agent notifies me when it waits',
    run: async (desk, demo) => {
      await desk.be('mia');
      await desk.open('general');
      await desk.type('/session notify', /Paste this into the settings file/);
      const text = await desk.page.getByTestId('message').last().locator('pre').innerText();
      const event = { hook_event_name: 'Notification', session_id: 's1', cwd: '/web', message: 'May I run it?' };
      const { code } = await runInShell(hooksOf(text)['Notification']?.command ?? 'false', {
        home: demo.environment['ERASURES_FILE']?.replace(/[^/]*$/, '') ?? '',
        input: JSON.stringify(event),
      });
      await desk.open('dm');
      return done(
        `${code === 0 ? '' : 'failed '}${part(await desk.sees(/May I run it/), /Waits for you[\s\S]*run it\?/)}`,
      );
    },
  },
];
