import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilQuiet } from '../../support/limits/limits.ts';
import { tryEveryReader, type Outcome } from './kind-outcomes.ts';
import { enqueueCopies, startKindsScene, type KindsScene } from '../../support/outbox/kinds-scene.ts';
import { RULES } from '../../support/outbox/reader-rules.ts';

const KINDS = [...RULES.keys()];
/** They cause messages for admins and are never written themselves. */
const SPREAD = new Set(['limit-card-copies', 'limit-policy-line-copies', 'limit-changes-copies']);
const isSpread = (kind: string) => kind.endsWith('-admin-notice') || SPREAD.has(kind);

describe.each(['admin', 'manager'] as const)('if a person needs the role %s to see people', (peopleRole) => {
  let scene: KindsScene;
  let outcomes: ReadonlyMap<string, readonly Outcome[]>;
  beforeAll(async () => {
    scene = await startKindsScene(peopleRole);
    outcomes = Map.groupBy(await tryEveryReader(scene, peopleRole), ({ kind }) => kind);
  });
  afterAll(async () => {
    scene.resume();
    await scene.close();
  });

  test('every kind of message that the app sends is tried', () => {
    expect(Object.keys(scene.app.messageKinds).toSorted()).toEqual(KINDS.toSorted());
    expect(KINDS.filter((kind) => !outcomes.has(kind))).toEqual([]);
    expect([...scene.rows].filter(([, rows]) => rows.length === 0)).toEqual([]);
  });

  test.for(KINDS)('a message of kind %s shows no reader more than they could request', (kind) => {
    const ofKind = outcomes.get(kind) ?? [];
    expect(ofKind.flatMap(({ what, faults }) => faults.map((fault) => `${what}: ${fault}`))).toEqual([]);
    expect(ofKind.some(({ written }) => written)).toBe(!isSpread(kind));
  });

  test('the outbox of the app posts nothing except the farewell to people who may not use it', async () => {
    const refused = ['gus', 'dan', 'olga', 'ella', 'mia'].map(
      (handle) => scene.slack.workspace.findPerson(handle)?.id ?? '',
    );
    const keys = await enqueueCopies(scene, [...scene.rows.values()].flat(), refused);
    scene.resume();
    await untilQuiet(scene);
    const messages = [...scene.slack.workspace.channels.values()].flatMap((channel) => channel.messages);
    const posted = messages
      .map(({ metadata }) => String(metadata?.event_payload['key']))
      .filter((key) => keys.has(key));
    expect(keys.size).toBeGreaterThan(300);
    expect(posted.filter((key) => !key.includes('reader-lost-farewell'))).toEqual([]);
    expect(posted.length).toBeGreaterThan(0);
  });
});
