import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Desk } from './desk.ts';
import { done, part, refused, type Job } from './job.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const MOVED_DATE = new URL('./moved-date.ts', import.meta.url).href;
const LIMITED = 30;

async function ask(desk: Desk, as: string, amount: string): Promise<void> {
  await desk.be(as);
  await desk.open('general');
  await desk.openForm('/limits request', /New limit/);
  await desk.fillForm({ 'New limit': amount, 'Why?': 'Release week' });
  await desk.submit();
  await desk.seesForm(/Your request is/);
  await desk.close();
}

/** Decides the newest request. */
async function approve(desk: Desk, amount: string): Promise<void> {
  await desk.press('Review');
  await desk.fillForm({ 'New limit for': amount });
  await desk.submit();
  await desk.seesForm(/approved by/);
  await desk.close();
}

export const adminJobs: readonly Job[] = [
  {
    number: 12,
    who: 'admin',
    title: 'approve lower, deny, history, undo',
    run: async (desk) => {
      await ask(desk, 'mia', '40m');
      await desk.be('ada');
      await desk.open('dm');
      await desk.sees(/requests a credit limit of 40 M/);
      await approve(desk, '20m');
      await ask(desk, 'mia', '40m');
      await desk.be('ada');
      await desk.open('dm');
      await desk.sees(/requests a credit limit of 40 M[\s\S]*20,000,000 → 40,000,000/);
      await approve(desk, '30m');
      await desk.sees(/30 M set/);
      await desk.press('Undo');
      await desk.sees(/Undo \(\w+-undo\): ✅ 20 M set/);
      await ask(desk, 'max', '900m');
      await desk.be('ada');
      await desk.open('dm');
      await desk.sees(/requests a credit limit of 900 M/);
      await desk.press('Deny');
      await desk.fillForm({ Comment: 'Far more than you used' });
      await desk.submit();
      await desk.seesForm(/Denied by/);
      await desk.close();
      await desk.open('general');
      return done(await desk.type('/limits', /Denied/));
    },
  },
  {
    number: 13,
    who: 'admin',
    title: 'limits for 30 people from a file',
    refusedWith: ['one admin'],
    run: async (desk, demo, setting) => {
      await desk.be('ada');
      await desk.open('general');
      await desk.openForm('/limits import', /Import credit limits/);
      if (setting === 'one admin') return refused(await desk.seesForm(/only admin|No other admin|no admin/i));
      const emails = demo.platform.organization.people
        .flatMap(({ email }) => email ?? [])
        .filter((email) => !/^(?:ada|nora)\./.test(email))
        .slice(0, LIMITED);
      const content = emails.map((email) => `${email},45m`).join('\n');
      await desk.page
        .locator('[data-testid=modal] input[type=file]')
        .setInputFiles({ name: 'limits.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
      await desk.submit();
      const preview = await desk.seesForm(/Ready: 30 limits/);
      await desk.fillForm({ 'Why?': 'New quarter' });
      await desk.submit();
      await desk.seesForm(/Your request is/);
      await desk.close();
      await desk.be('nora');
      await desk.open('dm');
      await desk.sees(/30 people|30 limits/);
      await desk.press('Review');
      await desk.submit();
      await desk.sees(/30 .*set|Set/);
      return done(part(preview, /Ready: .*/));
    },
  },
  {
    number: 14,
    who: 'admin',
    title: 'who changed controls last week, weaker?',
    run: async (desk) => {
      await desk.be('ada');
      await desk.open('general');
      return done(part(await desk.type('/controls last week', /revisions from/), /1 weaker[\s\S]*/));
    },
  },
  {
    number: 15,
    who: 'admin',
    title: 'bot healthy? who is admin?',
    run: async (desk) => {
      await desk.be('ada');
      await desk.open('general');
      const text = await desk.type('/quartermaster', /Health/);
      return done(`${part(text, /✅ .*Platform/)} ${part(text, /Admins: .*/)}`);
    },
  },
  {
    number: 16,
    who: 'admin',
    title: 'erase a leaver',
    run: async (desk) => {
      await desk.be('ada');
      await desk.open('general');
      await desk.openForm('/quartermaster erase', /E-mail on the platform/);
      await desk.fillForm({ 'E-mail on the platform': 'max.member@acme.example' });
      await desk.submit();
      await desk.seesForm(/Type the e-mail again/);
      await desk.fillForm({ 'Type the e-mail again to erase': 'max.member@acme.example' });
      await desk.submit();
      await desk.seesForm(/has begun/);
      await desk.close();
      await desk.open('dm');
      return done(part(await desk.seesLater(/Erasure \w+ is done/), /Erasure .*/));
    },
  },
  {
    number: 17,
    who: 'operator',
    title: 'check the installation, back it up',
    run: async (_desk, demo) => {
      const folder = mkdtempSync(join(tmpdir(), 'quartermaster-jobs-'));
      const run = (...words: string[]) =>
        promisify(execFile)(process.execPath, ['--import', MOVED_DATE, ...words], {
          cwd: ROOT,
          env: { PATH: process.env['PATH'], TEST_DATE: demo.clock.now().toISOString(), ...demo.environment },
        });
      try {
        const doctor = await run('src/programs/doctor/main.ts');
        await run('src/programs/backup/main.ts', 'backup', join(folder, 'backup'));
        return done(`${doctor.stdout.trim().split('\n').at(-1)}; ${readdirSync(folder).join(', ')}`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
