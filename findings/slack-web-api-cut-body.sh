#!/usr/bin/env bash
# @slack/web-api neither retries nor wraps an answer whose body is cut.
#
# Expected: a connection that ends in the middle of an answer is an error of the request, like one that ends before the
#   answer: retried as `retryConfig` says, and then an error with a code `slack_webapi_request_error`.
# Seen (8.2.0): a connection that ends before the headers is tried three times and has that code. One that ends in the
#   body is tried once, and rejects with a plain TypeError without a code.
# Needs: Node.js 24 or later and npm. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --silent @slack/web-api@8.2.0 >/dev/null

cat >"$folder/cut.mjs" <<'SCRIPT'
import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';

async function callOnce(end) {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume();
    end(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new WebClient('xoxb-placeholder', {
    slackApiUrl: `http://127.0.0.1:${server.address().port}/api/`,
    logLevel: LogLevel.ERROR,
    retryConfig: { retries: 2, minTimeout: 10, maxTimeout: 20 },
  });
  const error = await client.auth.test().catch((thrown) => thrown);
  return `${calls} ${error.constructor.name} ${error.code ?? 'no code'}`;
}

const before = await callOnce((response) => response.destroy());
const inBody = await callOnce((response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"ok":true,');
  setTimeout(() => response.destroy(), 20);
});
console.log(`before the headers: ${before}; in the body: ${inBody}`);
process.exit(before === '3 WebAPIRequestError slack_webapi_request_error' && inBody === '1 TypeError no code' ? 0 : 1);
SCRIPT

if ! node "$folder/cut.mjs"; then
  echo 'This has changed; before, it was: before the headers: 3 WebAPIRequestError slack_webapi_request_error; in the body: 1 TypeError no code'
  exit 1
fi
