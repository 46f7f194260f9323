import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReadiness, type ReadinessReport } from '../../../src/core/platform/endpoints/readiness.ts';
import type { Call, Send } from '../../../src/core/platform/transport/request.ts';
import { createReportsFold } from '../../../src/features/readiness/reports/reports-fold.ts';

const REPOSITORIES = 2_000;
const REPORTS_EACH = 10;

/** Every report once, in an order without meaning: a step that shares no factor with their number visits each. */
const SHUFFLED: ReadinessReport[] = Array.from({ length: REPOSITORIES * REPORTS_EACH }, (_, index) => {
  const at = (index * 7_919) % (REPOSITORIES * REPORTS_EACH);
  const [repository, time] = [at % REPOSITORIES, Math.floor(at / REPOSITORIES)];
  return {
    reportId: `r${repository}-${time}`,
    createdAt: time,
    repoUrl: `https://git.acme.example/acme/r${repository}`,
    apps: {},
    report: { tests: { numerator: (repository + time) % 5, denominator: 4 + 1, rationale: '' } },
  };
});
const PLACES = new Map(SHUFFLED.map(({ reportId }, index) => [reportId, index]));

/** A platform with this page size that repeats half of the previous page once, and all of it once. */
function platformOf(pageSize: number, repeatsEvery: number) {
  let calls = 0;
  const send: Send = <T>(call: Call<T>) => {
    calls += 1;
    const after = call.query?.['startAfter'];
    const from = after === undefined ? 0 : (PLACES.get(String(after)) ?? 0) + 1;
    // Twice: a page that overlaps the previous one, and later one that equals it.
    const isOverlapping = repeatsEvery > 0 && calls === repeatsEvery && from >= pageSize;
    const isRepeated = repeatsEvery > 0 && calls === 2 * repeatsEvery && from >= pageSize;
    const back = isRepeated ? pageSize : isOverlapping ? Math.floor(pageSize / 2) : 0;
    const reports = SHUFFLED.slice(from - back, from - back + pageSize);
    return Promise.resolve(call.schema.parse({ reports }));
  };
  return { readiness: createReadiness(send), calls: () => calls };
}

test('20,000 reports in any order, on overlapping pages of any size, give the latest of each of 2,000 repositories', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(40, 99, 100, 1_000, 20_000),
      fc.constantFrom(0, 3),
      async (pageSize, repeatsEvery) => {
        const platform = platformOf(pageSize, repeatsEvery);
        const fold = createReportsFold();
        const beforeBytes = process.memoryUsage().heapUsed;
        for await (const report of platform.readiness.eachReport({ limit: 100 })) fold.add(report);
        const repositories = fold.repositories();
        expect(repositories).toHaveLength(REPOSITORIES);
        for (const { latest, outlines } of repositories) {
          expect(latest.createdAt).toBe(REPORTS_EACH - 1);
          expect(outlines).toHaveLength(REPORTS_EACH);
        }
        // Every page once, the empty one at the end, and the cost of the overlaps.
        expect(platform.calls()).toBeLessThanOrEqual(2 * Math.ceil(SHUFFLED.length / pageSize) + 2);
        expect(process.memoryUsage().heapUsed - beforeBytes).toBeLessThan(150 * 1024 ** 2);
      },
    ),
    { numRuns: 6 },
  );
}, 120_000);
