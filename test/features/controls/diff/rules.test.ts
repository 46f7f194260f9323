import { describe, expect, test } from 'vitest';
import { diffClassified } from '../../../../src/features/controls/diff/diff.ts';
import { pathText } from '../../../../src/features/controls/diff/paths.ts';
import type { JsonObject } from '../../../../src/core/platform/redaction/json.ts';

const judged = (before: JsonObject, after: JsonObject) =>
  diffClassified(before, after).map(({ change, verdict }) => [pathText(change.path), verdict?.kind]);

describe('a mark for weaker settings', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['a policy is switched off', { mcpPolicy: { enabled: true } }, { mcpPolicy: { enabled: false } }],
    ['the sandbox is switched off', { sandbox: { enabled: true } }, { sandbox: { enabled: false } }],
    ['a shield is switched off', { enableAgentShield: true }, { enableAgentShield: false }],
    ['a shield is gone', { enableAgentShield: true }, {}],
    ['a restriction is switched off', { restrictMemberVisibility: true }, { restrictMemberVisibility: false }],
    [
      'access is no longer restricted',
      { missionPolicy: { restrictedAccess: true } },
      { missionPolicy: { restrictedAccess: false } },
    ],
    ['a policy is gone', { networkPolicy: { allowedIps: ['192.0.2.0/24'] } }, {}],
    [
      'custom models are allowed',
      { modelPolicy: { allowCustomModels: false } },
      { modelPolicy: { allowCustomModels: true } },
    ],
    [
      'fast models are allowed',
      { modelPolicy: { isFastModelsAllowed: false } },
      { modelPolicy: { isFastModelsAllowed: true } },
    ],
    [
      'all sockets are allowed',
      { sandbox: { network: { allowAllUnixSockets: false } } },
      { sandbox: { network: { allowAllUnixSockets: true } } },
    ],
    ['a command is allowed', { commandAllowlist: ['a'] }, { commandAllowlist: ['a', 'b'] }],
    [
      'a domain is allowed',
      { sandbox: { network: { allowedDomains: ['a'] } } },
      { sandbox: { network: { allowedDomains: ['a', 'b'] } } },
    ],
    ['an address is allowed', { networkPolicy: { allowedIps: ['a'] } }, { networkPolicy: { allowedIps: ['b'] } }],
    ['an allow list is empty', { mcpPolicy: { allowlist: ['a'] } }, { mcpPolicy: { allowlist: [] } }],
    ['a command is no longer denied', { commandDenylist: ['a', 'b'] }, { commandDenylist: ['a'] }],
    ['reading is no longer denied', { sandbox: { filesystem: { denyRead: ['a'] } } }, { sandbox: { filesystem: {} } }],
    [
      'a model is no longer blocked',
      { modelPolicy: { blockedModelIds: ['a'] } },
      { modelPolicy: { blockedModelIds: [] } },
    ],
    [
      'a marketplace is known',
      { strictKnownMarketplaces: [{ repo: 'a' }] },
      { strictKnownMarketplaces: [{ repo: 'a' }, { repo: 'b' }] },
    ],
    ['more people get computers', { byomComputersAllowedEmails: ['a'] }, { byomComputersAllowedEmails: ['a', 'b'] }],
    ['a deny list has another name now', { commandDenylist: ['rm -rf /'] }, { formerList: ['rm -rf /'] }],
    ['an unknown shield is switched off', { networkShield: true }, { networkShield: false }],
  ])('appears when %s', (_name, before, after) => {
    expect(judged(before, after)[0]?.[1]).toBe('weaker');
    expect(diffClassified(before, after)[0]?.verdict?.reason).toMatch(/\w.*\.$/);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['a new list narrows the permissions', {}, { networkPolicy: { allowedIps: ['192.0.2.0/24'] } }],
    ['sessions are kept longer', { sessionRetentionDays: 30 }, { sessionRetentionDays: 90 }],
  ])('does not appear when %s', (_name, before, after) => {
    expect(judged(before, after).map(([, kind]) => kind)).not.toContain('weaker');
    expect(judged(before, after)[0]?.[1]).toMatch(/relevant|noted/);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['a policy is switched on', { mcpPolicy: { enabled: false } }, { mcpPolicy: { enabled: true } }],
    ['a shield is new', {}, { enableAgentShield: true }],
    ['a command is denied', { commandDenylist: [] }, { commandDenylist: ['a'] }],
    ['an entry is removed from the allow-list', { commandAllowlist: ['a', 'b'] }, { commandAllowlist: ['a'] }],
    [
      'custom models are no longer allowed',
      { modelPolicy: { allowCustomModels: true } },
      { modelPolicy: { allowCustomModels: false } },
    ],
  ])('becomes one for stronger settings when %s', (_name, before, after) => {
    expect(judged(before, after)[0]?.[1]).toBe('stronger');
    expect(judged(after, before)[0]?.[1]).toBe('weaker');
  });

  test('stays if one change makes a part weaker and another stronger', () => {
    const before = { commandAllowlist: ['a'] };
    expect(judged(before, { commandAllowlist: ['b'] })[0]?.[1]).toBe('weaker');
  });

  test('never appears on settings that guard nothing', () => {
    expect(judged({ cloudSessionSync: true, rolloutRing: 'a' }, { cloudSessionSync: false, rolloutRing: 'b' })).toEqual(
      [
        ['cloudSessionSync', undefined],
        ['rolloutRing', undefined],
      ],
    );
  });

  test('puts its change first, then other changes of guards, then the rest', () => {
    const before = { a: 1, sandbox: { enabled: true }, sessionRetentionDays: 30 };
    const after = { a: 2, sandbox: { enabled: false }, sessionRetentionDays: 90 };
    expect(judged(before, after)).toEqual([
      ['sandbox.enabled', 'weaker'],
      ['sessionRetentionDays', 'noted'],
      ['a', undefined],
    ]);
  });
});
