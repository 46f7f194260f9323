#!/usr/bin/env bash
# node-cron computes every run that a step of the wall clock skipped.
#
# Expected: if the clock is set forward just before a task is due, node-cron notes that it is late and plans the next run.
# Seen (4.6.0): it reports each skipped run as missed, one after the other. For a task of each minute and a step of a day
#   these are 1,440 events, and their number grows with the step.
# Needs: Node.js 20 or later and npm. Takes up to two minutes, because it waits for the start of a minute. Fails if this
#   changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --silent node-cron@4.6.0 >/dev/null

cat >"$folder/step.mjs" <<'SCRIPT'
import { schedule } from 'node-cron';
import { setTimeout as delay } from 'node:timers/promises';

const DAY_MS = 24 * 60 * 60_000;
const RealDate = Date;
let stepMs = 0;
globalThis.Date = class extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [RealDate.now() + stepMs] : values));
  }
  static now() {
    return RealDate.now() + stepMs;
  }
};

let missed = 0;
const task = schedule('* * * * *', () => {}, { timezone: 'UTC', suppressMissedWarning: true });
task.on('execution:missed', () => void (missed += 1));
// It sleeps until shortly before the minute.
while (task.msToNext() < 1_000) await delay(500);
await delay(task.msToNext() - 50);
stepMs = DAY_MS;
await delay(1_000);
task.destroy();
console.log(`${missed} missed runs`);
process.exit(missed >= 1_439 ? 0 : 1);
SCRIPT

if ! node "$folder/step.mjs"; then
  echo 'This has changed; before, it was: 1440 missed runs'
  exit 1
fi
