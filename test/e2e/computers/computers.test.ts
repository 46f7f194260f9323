import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { askForComputer, computerForm } from '../../support/computers.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp();
});
afterEach(() => scene.close());

const ask = (text = '', as = 'mia') => typeCommand(scene.slack, as, '/computers', text);

/** Adds this number of computers on the platform. */
async function addComputers(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await fetch(`${scene.platform.baseUrl}/api/v0/computers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scene.platform.apiKeys.manager}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `more-${index}`, remoteUser: 'agent', autoInstallDeps: false }),
    });
  }
}

describe('/computers', () => {
  test('shows every computer, failed ones first, with the step that runs or failed', async () => {
    const { text } = await ask();
    expect(text).toContain('4 computers.');
    expect(text).toContain('1 failed, 1 being set up, 2 ready');
    const places = ['payments-ci: Status failed', 'data-lab: Status being set up', 'morgan-workstation: Status ready'];
    const found = places.map((place) => text.indexOf(place));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found.every((place) => place >= 0)).toBe(true);
    expect(text).toContain('Step Install dependencies: failed');
  });

  test('shows the computers whose name contains a word, and reports if there are none', async () => {
    expect((await ask('filter workstation')).text).toContain('1 of 4 hold “workstation”');
    expect((await ask('filter byom')).text).toContain('morgan-workstation');
    expect((await ask('filter nothing')).text).toContain('None of 4 computers holds “nothing”');
  });

  test('is shown page by page, and Refresh reads the same page again', async () => {
    await addComputers(80);
    const { slack } = scene;
    const first = await ask();
    expect(everythingIn(first)).toContain('And 24 more computers.');
    let since = slack.mark();
    await clickButton(slack, 'mia', first, 'More');
    expect(everythingIn(await nextAnswer(slack, since))).toContain('Computers 61 to 84');
    const again = await ask('filter payments');
    since = slack.mark();
    await clickButton(slack, 'mia', again, 'Refresh');
    const refreshed = await nextAnswer(slack, since);
    expect(refreshed.ts).toBe(again.ts);
    expect(refreshed.text).toContain('payments-ci');
  });

  test('shows all fields of one computer, with the addresses of its relays as text', async () => {
    const answer = await ask('show build-eu');
    expect(answer.text).toContain('Host name: build-eu-1.computers.acme.example');
    const shown = everythingIn(answer);
    expect(shown).toContain('`wss://relay.acme.example/client/');
    expect(shown).toContain('`wss://relay.acme.example/agent/');
    const id = /Id: (\S+)/.exec(answer.text)?.[1] ?? '';
    expect((await ask(`show ${id}`)).text).toContain('Computer build-eu-1');
  });

  test('shows the failed step of a computer, with its error and the session of the installation', async () => {
    const { text } = await ask('show payments-ci');
    expect(text).toContain('Install dependencies: npm error ERESOLVE could not resolve dependency tree');
    expect(text).toContain('Session ses_install_');
  });

  test('offers the names that match several, and the closest match', async () => {
    await addComputers(3);
    const { slack } = scene;
    const several = await ask('show more');
    expect(several.text).toContain('“more” fits 3 computers. Which one?');
    const since = slack.mark();
    await clickButton(slack, 'mia', several, 'more-2, under a minute old');
    expect((await nextAnswer(slack, since)).text).toContain('Computer more-2');
    expect((await ask('show paymnts-ci')).text).toContain('Did you mean payments-ci?');
    expect((await ask('shw data-lab')).text).toContain('Did you mean /computers show data-lab?');
  });

  test('offers the retry to admins alone if the computer was ordered elsewhere', async () => {
    expect(everythingIn(await ask('show payments-ci'))).not.toContain('Retry install');
    expect(everythingIn(await ask('show payments-ci', 'ada'))).toContain('Retry install');
    expect(everythingIn(await ask('retry data-lab', 'ada'))).toContain('still at work on it');
  });

  test('reports in one sentence that the platform cannot be read', async () => {
    scene.platform.faults.add({ match: { path: '/api/v0/computers' }, kind: 'status', status: 401 });
    expect((await ask()).text).toMatch(/no longer accepts Quartermaster’s API key.*reference/);
  });
});

describe('the form of /computers create', () => {
  const ordered = async () => {
    const db = readDatabase(scene.databaseUrl);
    try {
      const orders = db.withTables<{ computerOrders: { body: string } }>().selectFrom('computerOrders');
      return (await orders.select('body').execute()).map(({ body }): unknown => JSON.parse(body));
    } finally {
      await db.destroy();
    }
  };

  test('takes the name of a repository that the platform knows, also in capitals', async () => {
    expect(await askForComputer(scene, { repos: 'acme/web\nGIT.acme.example/Acme/Payments' })).toContain('is creating');
    expect(await ordered()).toMatchObject([
      { repos: ['https://git.acme.example/acme/web', 'https://git.acme.example/acme/payments'] },
    ]);
  });

  test('comes back with what was typed and a sentence if a name is unknown', async () => {
    const form = await askForComputer(scene, { repos: 'acme/web\nacme/nothing', remoteUser: 'builder' });
    expect(form).toContain('No readiness report is about “acme/nothing”, so its address isn’t known. Type its address');
    for (const typed of ['night-build', 'builder', 'acme/web\\nacme/nothing'])
      expect(form).toContain(`"initial_value":"${typed}"`);
    expect(await ordered()).toEqual([]);
    const fixed = await submitForm(scene.slack, 'mia', computerForm({ repos: 'acme/web' }));
    expect(textOfView(fixed)).toContain('is creating');
  });

  test('comes back if the repositories cannot be read', async () => {
    scene.platform.faults.add({
      match: { method: 'GET', path: '/api/organization/maturity-level-reports' },
      kind: 'status',
      status: 403,
    });
    const form = await askForComputer(scene, { repos: 'acme/web' });
    expect(form).toContain('“acme/web” couldn’t be looked up.');
    expect(form).toContain('"initial_value":"acme/web"');
  });

  test('is not filled with the name of the last computer', async () => {
    await askForComputer(scene, { remoteUser: 'builder' });
    const view = await openByCommand(scene.slack, 'mia', '/computers', 'create');
    expect(textOfView(view)).toContain('"initial_value":"builder"');
    expect(textOfView(view)).not.toContain('night-build');
  });
});
