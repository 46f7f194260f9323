#!/usr/bin/env bash
# dependency-cruiser cannot read a file with `using` if swc parses it.
#
# Expected: swc parses explicit resource management, so dependency-cruiser finds the imports of such a file.
# Seen (dependency-cruiser 18.7.2, @swc/core 1.16.22): the whole run ends with the error
#   “Unknown statement type: UsingDeclaration”, whatever the other files hold.
# Needs: Node.js 22 or later and npm. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --no-audit --no-fund --silent dependency-cruiser@18.7.2 @swc/core@1.16.22 >/dev/null
mkdir src
echo "export const open = () => ({ [Symbol.asyncDispose]: () => Promise.resolve() });" >src/open.ts
printf '%s\n' "import { open } from './open.ts';" "export async function use() {" "  await using file = open();" \
  "  return file;" "}" >src/use.ts
echo "module.exports = { forbidden: [], options: { parser: 'swc', enhancedResolveOptions: { extensions: ['.ts'] } } };" >rules.cjs

output="$(npx depcruise --config rules.cjs src 2>&1 || true)"
echo "$output"
if ! grep -q 'Unknown statement type: UsingDeclaration' <<<"$output"; then
  echo 'This has changed; before, it was: Unknown statement type: UsingDeclaration'
  exit 1
fi
