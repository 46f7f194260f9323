import { describe, expect, test } from 'vitest';
import { errorWords } from '../../../src/features/computers/core/text.ts';

const withError = (error: string) => errorWords({ id: 'clone', name: 'Clone', status: 'failed', error });

describe('the error of an installation step', () => {
  test.each([
    [
      'git clone https://bot:MARKER@git.acme.example/web.git: exit 128',
      'git clone https://‹hidden›@git.acme.example/web.git: exit 128',
    ],
    ['docker login -u bot -p MARKER ghcr.io failed', 'docker login -u ‹hidden› -p ‹hidden› ghcr.io failed'],
    ['NPM_TOKEN=MARKER npm ci: exit 1', 'NPM_TOKEN=‹hidden› npm ci: exit 1'],
    ['curl: (22) 401 for "Authorization: Bearer MARKER"', 'curl: (22) 401 for "Authorization: ‹hidden›"'],
  ])('shows no secret of %s', (error, shown) => {
    expect(withError(error)).toBe(shown);
  });

  test.each([
    'No space left on device',
    'npm ERR! 404 Not Found - GET https://npm.acme.example/left-pad',
    'exit status 1',
  ])('shows %s in full', (error) => expect(withError(error)).toBe(error));
});
