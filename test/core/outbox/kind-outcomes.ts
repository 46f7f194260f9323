import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { listDisclosures } from '../../../src/features/disclosure/disclosure-log.ts';
import type { Delivery } from '../../../src/core/outbox/delivery-table.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { setRoles, type KindsScene, type PeopleRole } from '../../support/outbox/kinds-scene.ts';
import {
  disclosedIn,
  faultsOf,
  knownPeople,
  type KnownPerson,
  type Standing,
  type TestReader,
  type Written,
} from '../../support/outbox/reader-rules.ts';

/** The outcome of one message for one reader. */
export interface Outcome {
  kind: string;
  /** The message, its destination, and the time. */
  what: string;
  written: boolean;
  faults: string[];
}

const CHANNELS = ['C0USAGE', 'C0PLATFORM'];
const ALL_GROUP_LIFE_MS = 6 * 60_000;
const BEFORE = { U0MIA: 'member', U0NORA: 'manager', U0MAX: 'admin' } as const;
const AFTER = { U0MIA: 'guest', U0NORA: 'member', U0MAX: 'member' } as const;

/** Writes every message for every reader, before and after some of them lost their role. */
export async function tryEveryReader(scene: KindsScene, peopleRole: PeopleRole): Promise<Outcome[]> {
  const people = knownPeople(scene);
  const before = await tryReaders(scene, people, readersOf(scene, peopleRole, BEFORE), 'before');
  setRoles(scene, { managers: [], admins: [] });
  await scene.slack.control.updatePerson({ person: 'mia', isGuest: true });
  scene.clock.moveTo(new Date(scene.clock.now().getTime() + ALL_GROUP_LIFE_MS));
  return [...before, ...(await tryReaders(scene, people, readersOf(scene, peopleRole, AFTER), 'after'))];
}

function readersOf({ slack }: KindsScene, peopleRole: PeopleRole, roles: Record<string, Standing>): TestReader[] {
  const ella = slack.workspace.findPerson('ella')?.id ?? '';
  const refused = { U0GUS: 'guest', U0DAN: 'deactivated', U0OLGA: 'outsider', [ella]: 'erased' } as const;
  const seesPeople = (standing: Standing | undefined) =>
    standing === 'admin' || (standing === 'manager' && peopleRole === 'manager');
  return [
    ...Object.entries({ ...refused, ...roles }).map(([id, standing]): TestReader => ({
      kind: 'person',
      id,
      standing,
      seesPeople: seesPeople(standing),
    })),
    // Max set up the messages to the channels.
    ...CHANNELS.map((id): TestReader => ({ kind: 'channel', id, isChooserAdmitted: seesPeople(roles['U0MAX']) })),
  ];
}

async function tryReaders(
  scene: KindsScene,
  people: readonly KnownPerson[],
  readers: readonly TestReader[],
  when: string,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const row of [...scene.rows.values()].flat()) {
    for (const reader of readers) {
      const who = reader.kind === 'person' ? reader.standing : 'channel';
      const what = `${row.key} to ${reader.id} (${who}, ${when})`;
      outcomes.push({ kind: row.kind, what, ...(await tryReader(scene, people, row, reader)) });
    }
  }
  return outcomes;
}

async function tryReader(
  scene: KindsScene,
  people: readonly KnownPerson[],
  row: Delivery,
  reader: TestReader,
): Promise<Pick<Outcome, 'written' | 'faults'>> {
  const preparation = await scene.app.messageKinds[row.kind]?.prepare({ ...row, channel: reader.id });
  if (preparation?.kind !== 'send' && preparation?.kind !== 'edit') return { written: false, faults: [] };
  const { text, blocks } = preparation.message;
  const written: Written = {
    kind: row.kind,
    text: `${mrkdwnOf(text)}\n${JSON.stringify(blocks ?? [])}`,
    isForAdmins: row.slot === 'admins',
  };
  const missing = await withoutRecord(scene, disclosedIn(written, reader, people), reader.id);
  const faults = [
    ...faultsOf(written, reader, people),
    ...missing.map((email) => `shows ${email}, and nothing records it`),
  ];
  return { written: true, faults };
}

async function withoutRecord(
  { databaseUrl }: KindsScene,
  emails: readonly string[],
  reader: string,
): Promise<string[]> {
  if (emails.length === 0) return [];
  const db = readDatabase(databaseUrl);
  try {
    const found = await Promise.all(emails.map((email) => listDisclosures(db, email, '2026-04-14')));
    return emails.filter((_email, index) => !found[index]?.some(({ reader: looker }) => looker === reader));
  } finally {
    await db.destroy();
  }
}
