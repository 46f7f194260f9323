#!/usr/bin/env bash
# Vitest's JSON report says that a test file passed although the process that ran it was killed.
#
# Expected: a file whose worker ends without a result (as when the system is out of memory) has the status “failed”, and counts.
# Seen (vitest 5.1.0): Vitest exits with 1 and prints an unhandled error, but in the report the file is “passed”, and
#   numFailedTests and numFailedTestSuites are 0, and `success` is true. Whoever adds up reports counts no failure.
# Needs: Node.js 22.12 or later and npm. Fails if this changes.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --no-audit --no-fund --silent vitest@5.1.0 >/dev/null
cat >killed.test.js <<'JS'
import { test } from 'vitest';
test('whose process is killed', () => process.kill(process.pid, 'SIGKILL'));
JS

status=0
npx vitest run --pool=forks --reporter=json --outputFile=report.json >/dev/null 2>&1 || status=$?
seen="$(node -p 'const r = require("./report.json"); [r.success, r.numFailedTests, r.numFailedTestSuites, r.testResults[0].status].join(" ")')"
echo "exit status $status; success, failed tests, failed suites, status of the file: $seen"
if [ "$status $seen" != '1 true 0 0 passed' ]; then
  echo 'This has changed; before, it was: 1 true 0 0 passed'
  exit 1
fi
