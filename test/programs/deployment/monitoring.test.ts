import { POLICY_STATES } from '../../../src/features/limit-policies/rules/policy-states.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { typeCommand } from '../../support/slack/conversation.ts';
import { delivered } from '../../support/digests.ts';
import { eventually } from '../../support/waiting.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { readText } from '../../repository/parsing/sources.ts';

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Quartermaster[A-Z]\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+m$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string().regex(/^[A-Z].*\.$/) }),
        }),
      ),
    }),
  ),
});
const dashboardSchema = z.looseObject({
  uid: z.string(),
  panels: z.array(
    z.looseObject({ id: z.int(), title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })).min(1) }),
  ),
});

const rules = rulesSchema.parse(parse(readText('docs/operating/alerts.yml'))).groups.flatMap(({ rules }) => rules);
const { panels } = dashboardSchema.parse(JSON.parse(readText('docs/operating/dashboard.json')));
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

/** Prometheus' own metrics about each target. */
const OF_PROMETHEUS = new Set(['up']);
/** Labels that Prometheus adds. */
const LABELS_OF_PROMETHEUS = new Set(['job', 'instance', 'le']);

/** The queried metrics with their labels: `name{label="value"}`. */
function metricsIn(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(/\b((?:quartermaster|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = '', inside = '']) => ({
      name,
      labels: [...inside.matchAll(/(\w+)\s*[=!]~?/g)].map(([, label = '']) => label),
    }),
  );
}

describe('the alert rules and the dashboard', () => {
  let scene: TestApp;
  /** Each exported metric, with its labels. */
  const exported = new Map<string, Set<string>>();
  let text = '';
  beforeAll(async () => {
    scene = await startTestApp({ settings: { DIGEST_CHANNEL: '#agent-usage', DIGEST_AT: '09:00' } });
    await typeCommand(scene.slack, 'morgan', '/usage', '7d');
    scene.clock.moveTo(new Date('2026-03-02T09:00:05Z'));
    await delivered(scene, 'digest:settings:2026-03-02');
    const readMetrics = async () => (await fetch(`http://127.0.0.1:${scene.app.metricsPort}/metrics`)).text();
    // It is counted after it is stored, and an answer is reused for a second.
    text = await eventually(
      async () => {
        const read = await readMetrics();
        return read.includes('quartermaster_delivery_attempts_total{') ? read : undefined;
      },
      () => 'the metrics of a delivery',
    );
    for (const [, name = '', inside = ''] of text.matchAll(/^(\w+)(?:\{([^}]*)\})? \S+$/gm)) {
      const labels = exported.get(name) ?? new Set();
      for (const [, label = ''] of inside.matchAll(/(\w+)="/g)) labels.add(label);
      exported.set(name, labels);
    }
  });
  afterAll(() => scene.close());

  test('query only metrics and labels that the program exports', () => {
    const wrong = expressions.flatMap((expr) =>
      metricsIn(expr)
        .filter(({ name }) => !OF_PROMETHEUS.has(name))
        .flatMap(({ name, labels }) => {
          const known = exported.get(name);
          if (!known) return [name];
          return labels
            .filter((label) => !known.has(label) && !LABELS_OF_PROMETHEUS.has(label))
            .map((label) => `${name}{${label}}`);
        }),
    );
    expect(wrong).toEqual([]);
    const grouped = expressions.flatMap((expr) =>
      [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/)),
    );
    const all = new Set([...exported.values()].flatMap((labels) => [...labels]));
    expect(grouped.filter((label) => !all.has(label) && !LABELS_OF_PROMETHEUS.has(label))).toEqual([]);
  });

  test('query only existing states and outcomes', () => {
    const delivery = readText('src/core/outbox/delivery-table.ts');
    const states = [...(/type DeliveryState =([^;]*);/.exec(delivery)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      ([, one]) => one,
    );
    const known = new Set([...states, ...POLICY_STATES, 'waiting', 'running', 'fault', 'unanswered', '401']);
    const asked = expressions.flatMap((expr) =>
      [...expr.matchAll(/(?:state|outcome)[=!]~?"([^"]*)"/g)].flatMap(([, values = '']) => values.split('|')),
    );
    expect(asked.filter((value) => !known.has(value) && value !== '[234]..')).toEqual([]);
    expect(readText('src/core/slack/inbound/background.ts')).toContain(`'unanswered'`);
    expect(readText('src/core/slack/inbound/interaction.ts')).toContain(`'fault'`);
  });

  test('cover every metric of our own', () => {
    const own = new Set([...text.matchAll(/^# TYPE (quartermaster_\w+)/gm)].map(([, name = '']) => name));
    const unused = [...own].filter((name) => !expressions.some((expr) => expr.includes(name)));
    expect(unused).toEqual([]);
  });
});

describe('each alert', () => {
  const runbook = readText('docs/operating.md');

  test.each(rules.map(({ alert }) => alert))('%s has a line in docs/operating.md with its remedy', (alert) => {
    expect(runbook).toMatch(new RegExp(`^\\| \`${alert}\` \\| .{20,} \\|$`, 'm'));
  });

  test('has a unique name, and every line belongs to an alert', () => {
    const names = rules.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    expect([...runbook.matchAll(/^\| `(Quartermaster\w+)`/gm)].map(([, name]) => name)).toEqual(names);
  });
});
