import { createErasedPeople } from '../../../src/core/store/erased-people.ts';
import { afterEach, expect, test } from 'vitest';
import { controlsSection } from '../../../src/features/controls/controls-digest-section.ts';
import { storedChanges } from '../../../src/features/controls/timeline.ts';
import { sentenceFor } from '../../../src/core/slack/people/audience.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { change, noticesIn, startWatching } from '../../support/controls.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import type { TestApp } from '../../support/test-app.ts';
import { CHANNEL, MANAGERS } from '../../support/slack/readers.ts';

let scene: TestApp;
afterEach(() => scene.close());

const queryOn = (day: string) => ({
  period: { first: day, last: day },
  comparedWith: undefined,
  people: undefined,
  about: 'the organization',
  isOnePerson: false,
  rightToName: undefined,
  rightToNameOthers: undefined,
  shownTo: { kind: 'channel' } as const,
  log: createLogger('silent', []),
});

test('digests and explanations of figures report the changes of their days from the stored revisions', async () => {
  scene = await startWatching();
  await change(scene, { enableAgentShield: false });
  await noticesIn(scene, 2);
  const db = readDatabase(scene.databaseUrl);
  try {
    const section = controlsSection({ db, erased: createErasedPeople(db) });
    if (section.namesPeople) throw new Error('Changes of the controls name no person');
    const today = await section.read(queryOn('2026-03-02'), CHANNEL);
    expect(today).toMatchObject({ kind: 'ready', figures: { Revisions: 1, 'Weaker settings': 1 }, isQuiet: false });
    expect(JSON.stringify(today)).toContain('`enableAgentShield` was switched *off*');
    expect(await section.read(queryOn('2026-03-01'), CHANNEL)).toMatchObject({
      figures: { Revisions: 0 },
      isQuiet: true,
    });
    expect(JSON.stringify(today)).not.toContain('Ada');
    const changes = await storedChanges({ db }, { first: '2026-03-02', last: '2026-03-02' });
    expect(changes?.map((one) => [one.day, sentenceFor(one, CHANNEL), sentenceFor(one, MANAGERS)])).toEqual([
      [
        '2026-03-02',
        'the enterprise controls were changed (revision 12: enableAgentShield)',
        'the enterprise controls were changed by Ada Okafor (revision 12: enableAgentShield)',
      ],
    ]);
    expect(await storedChanges({ db }, { first: '2025-01-01', last: '2026-03-02' })).toBeUndefined();
  } finally {
    await db.destroy();
  }
});
