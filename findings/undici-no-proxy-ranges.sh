#!/usr/bin/env bash
# undici sends addresses of a range in NO_PROXY through the proxy.
#
# Expected: `NO_PROXY=127.0.0.0/8` leaves out the addresses of that range, as with curl and Go, for which clusters and
#   distributions set ranges such as 10.0.0.0/8 for all programs at once.
# Seen (8.12.4): EnvHttpProxyAgent leaves out an exact address and an exact address with its port, and sends the same
#   request through the proxy if NO_PROXY has the range that contains it. Nothing warns.
# Needs: Node.js 24 or later and npm. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --silent undici@8.12.4 >/dev/null

cat >"$folder/ranges.mjs" <<'SCRIPT'
import { createServer } from 'node:http';
import { EnvHttpProxyAgent, request } from 'undici';

const answering = async (text) => {
  const server = createServer((_, response) => response.end(text));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address().port;
};
const target = await answering('direct');
const httpProxy = `http://127.0.0.1:${await answering('proxied')}`;
const ways = [];
for (const noProxy of ['127.0.0.1', `127.0.0.1:${target}`, '127.0.0.0/8']) {
  const dispatcher = new EnvHttpProxyAgent({ httpProxy, noProxy });
  const { body } = await request(`http://127.0.0.1:${target}/`, { dispatcher });
  ways.push(await body.text());
}
console.log(`address: ${ways[0]}, address and port: ${ways[1]}, range: ${ways[2]}`);
process.exit(ways.join() === 'direct,direct,proxied' ? 0 : 1);
SCRIPT

if ! node "$folder/ranges.mjs"; then
  echo 'This has changed; before, it was: address: direct, address and port: direct, range: proxied'
  exit 1
fi
