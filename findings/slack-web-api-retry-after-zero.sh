#!/usr/bin/env bash
# @slack/web-api waits longer than a `Retry-After` header asks, unless it hands rate limits to its caller.
#
# Expected: `rejectRateLimitedCalls` only decides who waits, and `retryAfter` of its error is a time after which a call is
#   reasonable, as it is when the client waits by itself.
# Seen (8.2.0): a client that waits by itself adds its own back-off of about a second to the header, so `Retry-After: 0`
#   is harmless. With `rejectRateLimitedCalls`, the error has `retryAfter: 0`, so a caller that waits as asked calls
#   again at once, for ever: here 30 times in a row.
# Needs: Node.js 20 or later and npm. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --silent @slack/web-api@8.2.0 >/dev/null

cat >"$folder/calls.mjs" <<'SCRIPT'
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { WebClient, LogLevel } from '@slack/web-api';

let calls = 0;
const server = createServer((request, response) => {
  calls += 1;
  request.resume();
  response.writeHead(429, { 'retry-after': '0' }).end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const options = { slackApiUrl: `http://127.0.0.1:${server.address().port}/api/`, logLevel: LogLevel.ERROR };

const MOST = 30;
const asking = new WebClient('xoxb-placeholder', { ...options, rejectRateLimitedCalls: true });
const asked = new Set();
for (let count = 0; count < MOST; count += 1) {
  const { retryAfter } = await asking.auth.test().catch((error) => error);
  asked.add(retryAfter);
  await delay(retryAfter * 1_000);
}
const rejected = calls;

calls = 0;
const waiting = new WebClient('xoxb-placeholder', { ...options, retryConfig: { retries: 1 } });
waiting.auth.test().catch(() => undefined);
await delay(700);
const waited = calls;
console.log(`rejecting: ${rejected} calls, asked to wait ${[...asked]} s; waiting by itself: ${waited} call`);
process.exit(rejected === MOST && asked.size === 1 && asked.has(0) && waited === 1 ? 0 : 1);
SCRIPT

if ! node "$folder/calls.mjs"; then
  echo 'This has changed; before, it was: rejecting: 30 calls, asked to wait 0 s; waiting by itself: 1 call'
  exit 1
fi
