/**
 * A replica that plans digests, with the time zones of the Node.js that runs it. Each line of its input is an instant at
 * which it plans once; it answers each with the version of its rules.
 */
import { createInterface } from 'node:readline';
import { createLogger } from '../../../src/core/base/log.ts';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { digestSubscription } from '../../../src/features/digests/deliver/plan.ts';
import { planDueSubscriptions } from '../../../src/core/schedule/due-subscriptions.ts';
import { openStore } from '../../../src/core/store/database.ts';

const [url = ''] = process.argv.slice(2);
const store = await openStore(url);
let now = new Date(0);
const clock = { ...systemClock, now: () => now };
const kinds = { digest: digestSubscription(clock) };
const faults: string[] = [];
const log = createLogger('error', [], (line) => void faults.push(line));

for await (const line of createInterface({ input: process.stdin })) {
  now = new Date(line);
  await planDueSubscriptions({ db: store.db, clock, kinds, log });
  process.stdout.write(`${JSON.stringify({ rules: process.versions.tz, faults })}\n`);
}
await store.close();
