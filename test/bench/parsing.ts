import { personDayCredits, plainPersonDayCredits } from '../../src/core/platform/endpoints/analytics-rows.ts';
import { createJsonReader } from '../../src/core/platform/transport/body-reader.ts';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { createStreamReader } from '../support/platform/old-body-readers.ts';
import type { Result } from './reports.ts';
import { median } from './statistics.ts';

const DAY = '2026-11-25';
const PATH = '$.data.*.by_user.*';
const CHUNK_BYTES = 64 * 1024;
/** The reader before was given pieces of this size. */
const OLD_PIECE_BYTES = 16 * 1024;
const WARM_UP_ROUNDS = 3;
const LEAST_RATIO = 4;

const READERS = {
  'in pieces of items': async (bytes: Uint8Array) => {
    const reader = createJsonReader(PATH, personDayCredits, { plain: plainPersonDayCredits });
    for (const chunk of piecesOf(bytes, CHUNK_BYTES)) await reader.write(chunk);
    return (await reader.end()).value;
  },
  'token by token': (bytes: Uint8Array) => {
    const reader = createStreamReader(PATH, personDayCredits);
    for (const chunk of piecesOf(bytes, OLD_PIECE_BYTES)) reader.write(chunk);
    return Promise.resolve(reader.end().value);
  },
  'JSON.parse alone': (bytes: Uint8Array) => Promise.resolve(JSON.parse(new TextDecoder().decode(bytes)) as unknown),
};
type ReaderName = keyof typeof READERS;
const NAMES: readonly ReaderName[] = ['in pieces of items', 'token by token', 'JSON.parse alone'];

/** Megabytes a second of processor time, of one day of credits with its people, in turns. */
export async function reportParsing(people: number, rounds: number): Promise<Result> {
  const bytes = await readDay(people);
  const speeds: Record<ReaderName, number[]> = {
    'in pieces of items': [],
    'token by token': [],
    'JSON.parse alone': [],
  };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const name of NAMES) {
      const speed = await speedOf(() => READERS[name](bytes), bytes.length);
      if (round >= 0) speeds[name].push(speed);
    }
  }
  const ratios = speeds['in pieces of items'].map((speed, round) => speed / (speeds['token by token'][round] ?? 0));
  const ratio = Math.round(10 * median(ratios)) / 10;
  const parsing = Object.fromEntries(NAMES.map((name) => [name, Math.round(median(speeds[name]))]));
  const isSame = (await answerOf('in pieces of items', bytes)) === (await answerOf('token by token', bytes));
  return {
    figures: { parsing: { bytes: bytes.length, ...parsing, ratio } },
    lines: [
      `Parsing ${(bytes.length / 1e6).toFixed(1)} MB of people, MB a second of processor time, median of ${rounds}:`,
      ...NAMES.map((name) => `  ${name.padEnd(20)} ${parsing[name]}`),
      `  in pieces of items, ${ratio} times as fast as token by token`,
    ],
    faults: [
      ...(ratio < LEAST_RATIO ? [`parsing is ${ratio} times as fast; it must be ${LEAST_RATIO}`] : []),
      ...(isSame ? [] : ['both readers must give the same answer']),
    ],
  };
}

async function readDay(people: number): Promise<Uint8Array> {
  const clock = createMovableClock(new Date('2026-11-28T12:00:00Z'));
  const platform = await startPlatform({ clock, people });
  const query = `startDate=${DAY}&endDate=${DAY}`;
  const headers = { authorization: `Bearer ${platform.apiKeys.manager}` };
  const answer = await fetch(`${platform.baseUrl}/api/v1/analytics/tokens?${query}`, { headers });
  if (!answer.ok) throw new Error(`The platform answers ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  await platform.close();
  return bytes;
}

const answerOf = async (name: ReaderName, bytes: Uint8Array) => JSON.stringify(await READERS[name](bytes));

async function speedOf(read: () => Promise<unknown>, bytes: number): Promise<number> {
  const before = process.cpuUsage();
  await read();
  const { user, system } = process.cpuUsage(before);
  return bytes / (user + system);
}

function* piecesOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
