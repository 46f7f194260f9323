#!/usr/bin/env bash
# node-cron walks through every run that a step of the wall clock skipped.
#
# Expected: if the clock is set forward just before a task is due, node-cron notes that it is late and plans the next run.
# Seen (4.6.0): its timer computes each skipped run, one after the other, and keeps them in a list. For a task of each
#   minute and a step of 30 days these are 43,200: seconds in which the event loop does nothing else, and more than 50 MB.
# Needs: Node.js 20 or later and npm. Takes up to two minutes, because it waits for the start of a minute. Fails if this
#   changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --silent node-cron@4.6.0 >/dev/null

cat >"$folder/step.mjs" <<'SCRIPT'
import { schedule } from 'node-cron';
import { setTimeout as delay } from 'node:timers/promises';

const MONTH_MS = 30 * 24 * 60 * 60_000;
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
stepMs = MONTH_MS;
const startMs = performance.now();
await delay(100);
const seconds = (performance.now() - startMs) / 1_000;
task.destroy();
console.log(`${missed} missed runs, ${seconds.toFixed(1)} s in which nothing else ran`);
process.exit(missed >= 43_199 && seconds > 1 ? 0 : 1);
SCRIPT

if ! node "$folder/step.mjs"; then
  echo 'This has changed; before, it was: 43200 missed runs, 8.4 s in which nothing else ran'
  exit 1
fi
