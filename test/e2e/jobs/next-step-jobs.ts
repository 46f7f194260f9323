import { done, part, type Job } from './job.ts';

/** What people without the right read instead: the last part of what these jobs say. */
const NEEDED = /is for [^\n]*/;

export const nextStepJobs: readonly Job[] = [
  {
    number: 18,
    who: 'admin',
    title: 'the first message, and a sample of a digest',
    run: async (desk) => {
      await desk.be('ada');
      await desk.open('dm');
      const welcome = await desk.seesLater(/Quartermaster is running/);
      await desk.press('Show a sample');
      await desk.sees(/sample/i);
      await desk.be('mia');
      await desk.open('general');
      await desk.openForm('/digest new', /manager/);
      const form = await desk.seesForm(/manager/);
      return done(`${part(welcome, /\d+ people used.*/)} / a member: ${part(form, NEEDED)}`);
    },
  },
  {
    number: 19,
    who: 'manager',
    title: 'send this answer regularly',
    run: async (desk) => {
      await desk.be('morgan');
      await desk.open('general');
      await desk.type('/usage 28d', /Usage, /);
      await desk.press('Send regularly');
      const form = await desk.seesForm(/How often/);
      await desk.close();
      await desk.be('mia');
      await desk.open('general');
      await desk.type('/usage 28d', /Usage, /);
      const offered = await desk.page.getByRole('button', { name: 'Send regularly' }).count();
      if (offered > 0) throw new Error('A member is offered a digest');
      return done(`${part(form, /New digest/)} / a member: not offered`);
    },
  },
  {
    number: 20,
    who: 'admin',
    title: 'what belongs to somebody who left',
    run: async (desk) => {
      await desk.be('ada');
      await desk.open('general');
      const left = await desk.type('/quartermaster left @nora', /Nora|nora/);
      await desk.be('morgan');
      await desk.open('general');
      const refusal = await desk.type('/quartermaster left @nora', /admin/);
      return done(`${part(left, /What belongs to[\s\S]{0,60}/)} / a manager: ${part(refusal, NEEDED)}`);
    },
  },
  {
    number: 21,
    who: 'member',
    title: 'I hit my limit, and an admin decides',
    run: async (desk, _demo, setting) => {
      await desk.be('mia');
      await desk.open('general');
      await desk.openForm('/limits blocked', /New limit/);
      await desk.fillForm({ 'New limit': '60m' });
      await desk.submit();
      await desk.seesForm(/Your request is/);
      await desk.close();
      await desk.be('ada');
      await desk.open('dm');
      const card = await desk.sees(/Blocked now: .*60 M[\s\S]*[Bb]udget/);
      await desk.press('Review');
      await desk.submit();
      await desk.seesForm(/approved by/);
      await desk.close();
      await desk.be('mia');
      await desk.open('dm');
      await desk.sees(/60 M/);
      return done(
        `${part(card, /Blocked now.*/)}; ${part(card, /[^\n]*[Bb]udget[^\n]*/)}${setting === 'one admin' ? ' (decided by the only admin)' : ''}`,
      );
    },
  },
  {
    number: 22,
    who: 'manager',
    title: 'what does a change of the controls touch?',
    run: async (desk, demo) => {
      demo.platform.addRevision({ settings: { modelPolicy: { blockedModelIds: ['atlas-large'] } } });
      await desk.be('morgan');
      await desk.open('platform');
      const notice = await desk.seesLater(/Named in this change|named in this change/);
      await desk.be('mia');
      await desk.open('general');
      const refusal = await desk.type('/controls', /manager/);
      return done(`${part(notice, /[Nn]amed in this change.*/)} / a member: ${part(refusal, NEEDED)}`);
    },
  },
  {
    number: 23,
    who: 'admin',
    title: 'a model retires',
    run: async (desk) => {
      await desk.be('ada');
      await desk.open('general');
      await desk.openForm('/usage retire new', /Last day/);
      await desk.fillForm({ Model: 'atlas-large', 'Last day': '2026-12-24', Successor: 'boreal-2' });
      await desk.submit();
      await desk.close().catch(() => undefined);
      const list = await desk.type('/usage retire', /Models that retire/);
      await desk.be('morgan');
      await desk.open('general');
      await desk.openForm('/usage retire new', /admin/);
      const refusal = await desk.seesForm(/admin/);
      return done(`${part(list, /atlas-large.*/)} / a manager: ${part(refusal, NEEDED)}`);
    },
  },
  {
    number: 24,
    who: 'member',
    title: 'cancel my request by its word',
    run: async (desk) => {
      await desk.be('mia');
      await desk.open('general');
      await desk.openForm('/limits request', /New limit/);
      await desk.fillForm({ 'New limit': '70m', 'Why?': 'Release week' });
      await desk.submit();
      await desk.seesForm(/Your request is/);
      await desk.close();
      await desk.type('/limits cancel', /70 M/);
      await desk.press('Withdraw');
      return done(part(await desk.sees(/The request \w+ is withdrawn/), /The request .*/));
    },
  },
];
