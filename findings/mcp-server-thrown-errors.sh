#!/usr/bin/env bash
# McpServer sends the message of an error that a tool throws to the client, and tells nobody else.
#
# Expected: an error in a tool is a fault of the server: `onerror` gets it, and the client gets an error of the protocol.
# Seen (@modelcontextprotocol/server 2.4.0): the call succeeds with `isError: true` and the message of the error as its
#   text, which a model reads. `onerror` is never called, so that a log has nothing. And a server that declares
#   `tools: {}` announces `listChanged: true`, although it will never send such a notification.
# Needs: Node.js 20 or later and npm. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --silent \
  @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 >/dev/null

cat >"$folder/tool.mjs" <<'SCRIPT'
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';

const server = new McpServer({ name: 'example', version: '1.0.0' }, { capabilities: { tools: {} } });
let heard = 0;
server.server.onerror = () => (heard += 1);
server.registerTool('report', { description: 'Reads a report' }, async () => {
  throw new Error('disk of host db-7 is full');
});
const [ofServer, ofClient] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: 'example', version: '1.0.0' });
await Promise.all([server.connect(ofServer), client.connect(ofClient)]);

const { content, isError } = await client.callTool({ name: 'report', arguments: {} });
const { listChanged } = client.getServerCapabilities().tools;
const seen = `text: ${content[0].text}; isError: ${isError}; onerror called ${heard} times; listChanged: ${listChanged}`;
console.log(seen);
process.exit(seen === 'text: disk of host db-7 is full; isError: true; onerror called 0 times; listChanged: true' ? 0 : 1);
SCRIPT

if ! node "$folder/tool.mjs"; then
  echo 'This has changed; before, it was: text: disk of host db-7 is full; isError: true; onerror called 0 times; listChanged: true'
  exit 1
fi
