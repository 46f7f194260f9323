import { describe, expect, test } from 'vitest';
import { daysOf, plusDays } from '../../../src/core/base/time/calendar.ts';
import { outlookOf } from '../../../src/features/own/own-outlook.ts';
import { createNoise } from '../../bench/calibration/noise.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { periodAround } from './dated-periods.ts';
import { creditsOf, HABITS } from './generated-persons.ts';

describe.each(Object.entries(HABITS))('the range of days of %s persons', (_name, habit) => {
  test.each(['week', 'month', 'quarter', 'year'] as const)(
    'holds for at least seven of ten of them in a %s',
    (unit) => {
      const noise = createNoise(11);
      const counts = { reached: 0, inside: 0 };
      for (let person = 0; person < propertyRuns(4_000) + 600; person += 1) {
        const through = plusDays('2026-03-10', Math.floor(noise.uniform() * 260));
        const period = periodAround(plusDays(through, 1), unit);
        const all = creditsOf(habit, plusDays(through, -55), 256, 56, noise);
        const days = all.slice(0, 56);
        const elapsed = daysOf({ first: period.first, last: through }).length;
        const used = elapsed === 0 ? 0 : days.slice(-elapsed).reduce((sum, amount) => sum + amount, 0);
        const perDay = days.slice(-28).reduce((sum, amount) => sum + amount, 0) / 28;
        const ahead = Math.min(45, daysOf({ first: plusDays(through, 1), last: period.last }).length);
        const limit = used + perDay * ahead * (0.1 + noise.uniform()) + 1;
        const outlook = outlookOf({ period, through, used, days }, limit);
        if (outlook.kind !== 'reached' || outlook.earliest === outlook.latest) continue;
        let sum = used;
        const place = all.slice(56).findIndex((amount) => (sum += amount) >= limit);
        const day = plusDays(through, place === -1 ? 9_999 : place + 1);
        counts.reached += 1;
        counts.inside += Number(day >= outlook.earliest && (outlook.latest === undefined || day <= outlook.latest));
      }
      // Others last, or it is too close to say.
      expect(counts.reached).toBeGreaterThan(30);
      expect(counts.inside / counts.reached).toBeGreaterThan(0.7);
    },
  );
});
