import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedact } from '../../../../src/core/platform/redaction/redact.ts';
import { CONFIGURATIONS, holdsHalfOf, planted, plantedPassword } from '../../../support/slack/planted-secrets.ts';
import { withReadableMarks } from '../../../../src/core/platform/redaction/marks.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const redact = createRedact('a key of this installation');
const textOf = (settings: Record<string, unknown>) => JSON.stringify(redact(settings));

describe('redaction', () => {
  test('leaves no secret, nor half of one, at any place', () => {
    fc.assert(
      fc.property(planted, ({ settings, secret, place }) => {
        const text = textOf(settings);
        if (holdsHalfOf(text, secret)) throw new Error(`At ${place}: ${text}`);
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });

  test('shows no password of eight or more characters in any configuration', () => {
    fc.assert(
      fc.property(plantedPassword, ({ settings, secret }) => {
        const text = textOf(settings);
        if (text.includes(secret)) throw new Error(text);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  test.each(CONFIGURATIONS.map((put) => [JSON.stringify(put('…')), put] as const))(
    'hides a short value and shows that it changed: %s',
    (_shape, put) => {
      const [first, second] = [redact(put('Q7z')), redact(put('X9w'))];
      expect(JSON.stringify(first)).not.toContain('Q7z');
      expect(JSON.stringify(first)).toContain('‹secret #');
      expect(first).not.toEqual(second);
      expect(first).toEqual(redact(put('Q7z')));
    },
  );

  test('shows values of a configuration that are known to be harmless', () => {
    const command = 'docker run --rm -e DB_PASS=Sommer24 --config /etc/app/config.json img --pass Herbst25';
    const args = ['-y', '@acme/server', '--token', 'abcd1234', '--url', 'https://mcp.acme.example:8443/v1/team-seven'];
    const mcpPolicy = { enabled: true, servers: [{ command, args, timeout: 30, retries: 2, code: 4711 }] };
    const shown = withReadableMarks(textOf({ mcpPolicy }));
    expect(JSON.parse(shown)).toEqual({
      mcpPolicy: {
        enabled: true,
        servers: [
          {
            command: 'docker run --rm -e DB_PASS=‹hidden› --config /etc/app/config.json ‹hidden› --pass ‹hidden›',
            args: ['-y', '@acme/server', '--token', '‹hidden›', '--url', 'https://mcp.acme.example:8443/‹hidden›'],
            timeout: 30,
            retries: 2,
            code: '‹hidden›',
          },
        ],
      },
    });
  });

  test('hides only the secret of a policy', () => {
    const commandAllowlist = [
      'curl --retry 3 --token abcd1234 https://user:pw@a.example/x?team=7',
      'git -C repo status',
    ];
    expect(JSON.parse(withReadableMarks(textOf({ commandAllowlist })))).toEqual({
      commandAllowlist: [
        'curl --retry 3 --token ‹hidden› https://‹hidden›@a.example/x?team=‹hidden›',
        'git -C repo status',
      ],
    });
    expect(redact({ sandbox: { mode: 'unrestricted' } })).toEqual({ sandbox: { mode: 'unrestricted' } });
  });

  test('shows that a secret changed, and that it stayed the same', () => {
    fc.assert(
      fc.property(planted, planted, (one, other) => {
        fc.pre(one.place === other.place && one.secret !== other.secret);
        expect(textOf(one.settings)).toBe(textOf(structuredClone(one.settings)));
        expect(textOf(one.settings)).not.toBe(textOf(other.settings));
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test('leaves texts that people have to read', () => {
    const readable = {
      sessionDefaultSettings: { model: 'atlas-large', specModeModel: 'claude-3-5-sonnet-20241022' },
      customModels: [
        {
          id: 'custom:in-house-70b',
          baseUrl: 'https://models.acme.example/v1',
          maxOutputTokens: 8_192,
          thinkingMaxTokens: 1,
        },
      ],
      commandAllowlist: ['npm test', 'git status --short', 'docker compose -f docker-compose.production.yml up'],
      commandDenylist: ['rm -rf /', 'curl * | sh', 'kubectl delete namespace production-europe-west'],
      modelPolicy: { allowedModelIds: ['f47ac10b-58cc-4372-a567-0e02b2c3d479'], allowCustomModels: false },
      missionPolicy: { allowedUserIds: ['user_8f14e45fceea167a5a36'] },
      managedComputersAllowedEmails: [
        'ada.admin@acme.example',
        'bartholomew.featherstonehaugh@subsidiary.acme.example',
      ],
      networkPolicy: { allowedIps: ['192.0.2.0/24', '2001:db8:85a3::8a2e:370:7334'] },
      restrictApiKeyCreationToManagers: true,
      strictKnownMarketplaces: [{ repo: 'https://github.com/acme/agent-marketplace-internal' }],
      sandbox: { filesystem: { denyRead: ['/etc/shadow', '/home/user/.config/application-settings'] } },
      sessionRetentionDays: 90,
    };
    expect(redact(readable)).toEqual(readable);
  });

  test('keeps whether a secret is set, and its approximate length', () => {
    expect(redact({ apiKey: '', token: null, cookies: true })).toEqual({ apiKey: '', token: null, cookies: true });
    expect(textOf({ apiKey: 'abc' })).toMatch(/^\{"apiKey":"‹secret #[0-9a-f]{12}, up to 8 characters›"\}$/);
    expect(textOf({ apiKey: 'x'.repeat(64) })).toContain('40–99 characters');
    expect(textOf({ extraHeaders: { 'x-team': 'abc' } })).toContain('"x-team":"‹secret');
    expect(textOf({ proxy: 'https://me:pw@proxy.example/x' })).toMatch(
      /"https:\/\/‹secret #\w+, up to 8 characters›@proxy\.example\/‹secret #\w+, up to 8 characters›"/,
    );
  });

  test('uses other fingerprints in another installation', () => {
    expect(createRedact('another key')({ apiKey: 'abc' })).not.toEqual(redact({ apiKey: 'abc' }));
  });

  test('marks its cuts: too deep, too long, too much', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`);
    expect(textOf(deep)).toContain('cut here: more than 50 levels deep');
    expect(textOf({ notes: 'many words '.repeat(100_000) })).toContain('cut here: a text of 1100000 characters');
    const many = Object.fromEntries(Array.from({ length: 120_000 }, (_, index) => [`member ${index}`, index]));
    expect(textOf(many)).toContain('cut here: the settings are too large');
  });

  test('treats names such as __proto__ like any other', () => {
    const settings = JSON.parse(
      '{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": true}, "toString": false}',
    );
    expect(textOf(settings)).toBe(JSON.stringify(settings));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('never fails, whatever the settings contain', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (settings) => {
        expect(JSON.parse(textOf(settings))).toEqual(JSON.parse(textOf(settings)));
      }),
    );
  });
});
