import { describe, expect, test } from 'vitest';
import { releaseChangelog } from '../../../src/programs/release/changelog.ts';
import { readText } from '../../repository/parsing/sources.ts';

const before = '# Changelog\n\n## Unreleased\n\n### Added\n\n- A door.\n\n## 0.2.0\n\n- A wall.\n';

describe('a release', () => {
  test('gives the unreleased changes its version and day, and keeps the earlier ones', () => {
    expect(releaseChangelog(before, '0.2.0', '0.3.0', '2026-11-24')).toEqual({
      isPossible: true,
      changelog:
        '# Changelog\n\n## Unreleased\n\n## 0.3.0 - 2026-11-24\n\n### Added\n\n- A door.\n\n## 0.2.0\n\n- A wall.\n',
      notes: '### Added\n\n- A door.\n',
    });
  });

  test('of the first version needs no earlier section', () => {
    const first = before.slice(0, before.indexOf('\n## 0.2.0'));
    expect(releaseChangelog(first, '0.0.0', '0.1.0', '2026-11-24')).toMatchObject({
      changelog: '# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-11-24\n\n### Added\n\n- A door.\n',
    });
  });

  test('of the project’s own changelog keeps every line', () => {
    // Right after a release, nothing is unreleased.
    const text = readText('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- A change.\n');
    const release = releaseChangelog(text, '0.2.0', '99.0.0', '2026-11-24');
    const lines = (one: string) => one.split('\n').filter((line) => line !== '');
    expect(release.isPossible && lines(release.changelog).filter((line) => line !== '## 99.0.0 - 2026-11-24')).toEqual(
      lines(text),
    );
  });

  test.each([
    ['0.2.0', before, '0.2.0 is not higher than 0.2.0.'],
    ['0.1.9', before, '0.1.9 is not higher than 0.2.0.'],
    ['0.10', before, '“0.10” is no version such as 0.3.0.'],
    ['0.3.0; rm', before, '“0.3.0; rm” is no version such as 0.3.0.'],
    ['0.3.0', before.replace('- A door.', ''), 'CHANGELOG.md lists no changes below “Unreleased”.'],
    ['0.3.0', '# Changelog\n', 'CHANGELOG.md has no section “## Unreleased”.'],
  ])('%s is refused for the right reason', (version, changelog, reason) => {
    expect(releaseChangelog(changelog, '0.2.0', version, '2026-11-24')).toEqual({ isPossible: false, reason });
  });

  test('0.10.0 is higher than 0.9.0', () => {
    expect(releaseChangelog(before, '0.9.0', '0.10.0', '2026-11-24').isPossible).toBe(true);
  });
});
