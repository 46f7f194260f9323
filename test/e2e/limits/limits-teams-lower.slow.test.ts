import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { formValues } from '../../support/digests.ts';
import { cardOf, untilQuiet, untilState } from '../../support/limits/limits.ts';
import { openPolicy, policyNoticesTo, press } from '../../support/limits/policies.ts';
import {
  approve,
  createTeam,
  readRawCharges,
  requestOfMia,
  setMembers,
  startTeamApp,
} from '../../support/limits/teams.ts';
import { clickButton, typeCommand } from '../../support/slack/conversation.ts';
import { fillForm, nextView, submitForm, textOfView } from '../../support/slack/modals.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import type { TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTeamApp();
});
afterEach(() => scene.close());

const teamOf = (as: string) => typeCommand(scene.slack, as, '/limits', 'team');

async function open(as: string, answer?: MessageView): Promise<string> {
  const message = answer ?? (await teamOf(as));
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, message, 'Lower the pool');
  return textOfView(await nextView(scene.slack, since));
}

const lower = async (as: string, values: Record<string, string>) =>
  textOfView(await submitForm(scene.slack, as, formValues(values)));

async function auditOf(id: string) {
  const db = readDatabase(scene.databaseUrl);
  const rows = await listAuditEntries(db, `limits:policy-${id}`);
  await db.destroy();
  return rows;
}

describe('a lead who lowers what bounds them', () => {
  test('does so at once, for the next grants, and the admins and the other leads are told', async () => {
    setMembers(scene, ['U0MIA', 'U0NORA', 'U0MAX']);
    const id = await createTeam(scene, { leads: ['U0NORA', 'U0MAX'] });
    await approve(scene, await requestOfMia(scene, '1b'));
    expect(await open('nora')).toContain('300,000,000');
    expect(await lower('nora', { pool: '150m' })).toContain('as long as the pool of 150,000,000 credits');
    await untilQuiet(scene);
    const told = expect.stringContaining(
      '🔽 *<@U0NORA> lowered what the leads of @web-team can grant*: the pool from 300 M to 150 M.',
    );
    expect(await policyNoticesTo(scene, 'ada')).toContainEqual(told);
    expect(await policyNoticesTo(scene, 'max')).toContainEqual(told);
    expect(await policyNoticesTo(scene, 'nora')).not.toContainEqual(told);
    expect((await teamOf('nora')).text).toContain('*100 M of 150 M granted*, 50 M left');
    expect((await openPolicy(scene, 'ada', id)).text).toMatch(
      /version 2.*Activated by <@U0MORGAN> .*Lowered by <@U0NORA>/s,
    );
    expect(await auditOf(id)).toContainEqual(
      expect.objectContaining({ actor: 'U0NORA', action: 'lowered', detail: expect.stringContaining('version 2') }),
    );
    const next = await requestOfMia(scene, '1.2b');
    expect((await cardOf(scene, next, 'dm', 'ada')).text).toContain('*150 M too much*');
  });

  test('lowers the highest limit, too, also while a request waits', async () => {
    await createTeam(scene);
    const id = await requestOfMia(scene, '1b');
    await open('nora');
    expect(await lower('nora', { cap: '950m' })).toContain('They set limits up to 950,000,000');
    expect(await approve(scene, id)).toContain('it exceeds the highest limit of the policy');
    expect(await readRawCharges(scene)).toEqual([]);
  });

  test('keeps what was approved before: it is set, and stays charged', async () => {
    await createTeam(scene);
    const id = await requestOfMia(scene, '1b');
    await approve(scene, id);
    await open('nora');
    await lower('nora', { pool: '1m' });
    await untilState(scene, id, 'applied');
    expect((await teamOf('nora')).text).toContain('*100 M of 1 M granted*, nothing left');
  });

  test('can raise neither of them, also not one for the other', async () => {
    await createTeam(scene);
    await open('nora');
    const refusal = 'Leads can keep or lower the pool and the highest limit. To raise them, two admins have to agree.';
    expect(await lower('nora', { pool: '301m' })).toContain(refusal);
    expect(await lower('nora', { pool: '100m', cap: '2.1b' })).toContain(refusal);
    expect(await lower('nora', { pool: '300m', cap: '2b' })).toContain('Nothing changes');
    expect((await teamOf('nora')).text).toContain('0 of 300 M granted');
  });

  test('gives a team without a pool one, and cannot remove it again', async () => {
    await createTeam(scene, { pool: '' });
    await open('nora');
    await lower('nora', { pool: '200m' });
    expect((await teamOf('nora')).text).toContain('*0 of 200 M granted*');
    await untilQuiet(scene);
    expect(await policyNoticesTo(scene, 'ada')).toContainEqual(
      expect.stringContaining('the pool from no pool to 200 M'),
    );
    await scene.slack.control.close({ as: 'nora', all: true });
    await open('nora');
    expect(await lower('nora', { pool: '' })).toContain('Leads can keep or lower');
  });

  test('types amounts that are none, and gets a sentence at the field', async () => {
    await createTeam(scene);
    await open('nora');
    const faultOf = async (amount: string, field = 'pool') => {
      await fillForm(scene.slack, 'nora', formValues({ [field]: amount }));
      const { modals } = await scene.slack.control.submit({ as: 'nora' });
      return modals[0]?.errors?.[field];
    };
    expect(await faultOf('0', 'cap')).toBe('Type more than 0.');
    for (const cap of ['-1', 'none', '1e3', '9'.repeat(30)])
      expect(await faultOf(cap, 'cap')).toContain('Type a number from 0 up');
    await fillForm(scene.slack, 'nora', formValues({ cap: '2b' }));
    expect(await faultOf('0')).toBe('Type more than 0.');
    for (const pool of ['-5', 'all of it', 'Infinity', '1e3'])
      expect(await faultOf(pool)).toContain('Type a number from 0 up');
    expect(await faultOf('1.250')).toContain('could mean');
    for (const pool of ['1e30', '9'.repeat(30), '0.001']) expect(await faultOf(pool)).toContain('Type a number');
    expect((await teamOf('nora')).text).toContain('0 of 300 M granted');
  });
});

test('a lead lowers the highest limit to nothing that the platform does not take', async () => {
  await scene.close();
  scene = await startTeamApp({ LIMIT_MINIMUM: '1000000' });
  await createTeam(scene);
  await open('nora');
  expect(await lower('nora', { cap: '999999' })).toMatch(/1,000,000/);
  expect((await teamOf('nora')).text).toContain('up to 2 B a person');
});

describe('nobody else lowers it', () => {
  test('a lead who left the team decides nothing by an old form or an old button', async () => {
    await createTeam(scene);
    const answer = await teamOf('nora');
    await open('nora', answer);
    setMembers(scene, ['U0MIA']);
    expect(await lower('nora', { pool: '1m' })).toContain('You don’t lead this team now');
    await scene.slack.control.close({ as: 'nora', all: true });
    expect(await open('nora', answer)).toContain('You don’t lead this team now');
    setMembers(scene, ['U0MIA', 'U0NORA']);
    expect((await teamOf('nora')).text).toContain('0 of 300 M granted');
  });

  test('members and admins have no button', async () => {
    await createTeam(scene);
    for (const as of ['mia', 'ada']) expect(JSON.stringify(await teamOf(as))).not.toContain('Lower the pool');
  });

  test('of two leads at once one lowers it, and the other sees that', async () => {
    setMembers(scene, ['U0MIA', 'U0NORA', 'U0MAX']);
    await createTeam(scene, { leads: ['U0NORA', 'U0MAX'] });
    await open('nora');
    await open('max');
    const texts = await Promise.all([lower('nora', { pool: '200m' }), lower('max', { pool: '100m' })]);
    expect(texts.filter((text) => text.includes('✅'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('Somebody else changed this team'))).toHaveLength(1);
  });

  test('a lead lowers nothing while an admin pauses or edits the team', async () => {
    const id = await createTeam(scene);
    const answer = await teamOf('nora');
    await open('nora', answer);
    await press(scene, 'ada', await openPolicy(scene, 'ada', id), 'Pause');
    expect(await lower('nora', { pool: '1m' })).toContain('This policy is not active.');
    await scene.slack.control.close({ as: 'nora', all: true });
    expect(await open('nora', answer)).toContain('This policy is not active.');
  });

  test('an admin who began to edit before does not undo it', async () => {
    const id = await createTeam(scene);
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'ada', await openPolicy(scene, 'ada', id), 'Edit');
    await nextView(scene.slack, since);
    await open('nora');
    await lower('nora', { pool: '100m' });
    const saved = await submitForm(scene.slack, 'ada', formValues({ name: 'Web team' }));
    expect(textOfView(saved)).toContain('Somebody else changed this policy');
    expect((await teamOf('nora')).text).toContain('0 of 100 M granted');
  });

  test('the admin who wrote the rules still cannot activate them alone after a lead lowered them', async () => {
    const id = await createTeam(scene);
    await open('nora');
    await lower('nora', { pool: '100m' });
    await press(scene, 'ada', await openPolicy(scene, 'ada', id), 'Pause');
    await press(scene, 'morgan', await openPolicy(scene, 'morgan', id), 'Release its people');
    await press(scene, 'ada', await openPolicy(scene, 'ada', id), 'Run the back-test');
    const refused = await press(scene, 'ada', await openPolicy(scene, 'ada', id), 'Activate');
    expect(refused.text).toContain('<@U0ADA> wrote this version. Another admin has to activate it.');
  });
});
