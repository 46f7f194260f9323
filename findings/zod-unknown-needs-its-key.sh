#!/usr/bin/env bash
# zod: a member that may be anything must still be there.
#
# Expected: `z.unknown()` accepts `undefined`, and an object without a member reads as `undefined`, so an object schema
#   with `z.unknown()` accepts an object without it, as it does with a schema of `z.preprocess` or `.catch`.
# Seen (4.6.7): `z.unknown()` and `z.any()` accept `undefined`, and an object without the key is refused. `.optional()`
#   behind it, a `.catch` and a `z.preprocess` around it make the key optional.
# Needs: Node.js 20 or later and npm. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --silent zod@4.6.7 >/dev/null

cat >"$folder/keys.mjs" <<'SCRIPT'
import { z } from 'zod';

const accepts = (schema, value) => schema.safeParse(value).success;
const withoutKey = (schema) => accepts(z.object({ member: schema }), {});
const seen = [
  ['alone', accepts(z.unknown(), undefined)],
  ['unknown', withoutKey(z.unknown())],
  ['any', withoutKey(z.any())],
  ['optional', withoutKey(z.unknown().optional())],
  ['catch', withoutKey(z.string().catch(''))],
  ['preprocess', withoutKey(z.preprocess((value) => value ?? '', z.string()))],
]
  .map(([name, is]) => `${name} ${is ? 'accepted' : 'refused'}`)
  .join(', ');
console.log(seen);
const before =
  'alone accepted, unknown refused, any refused, optional accepted, catch accepted, preprocess accepted';
process.exit(seen === before ? 0 : 1);
SCRIPT

if ! node "$folder/keys.mjs"; then
  echo 'This has changed; before, it was: alone accepted, unknown refused, any refused, optional accepted, catch accepted, preprocess accepted'
  exit 1
fi
