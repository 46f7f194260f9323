import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from './parsing/sources.ts';

const SCRIPT = join(ROOT, '.ci/release');
const IMAGE = 'registry.example.com/acme/quartermaster';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-release-'));
  mkdirSync(join(folder, 'repository/.ci'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  copyFileSync(SCRIPT, join(folder, 'repository/.ci/release'));
  write('package.json', '{\n  "name": "quartermaster",\n  "version": "1.4.2",\n  "private": true\n}\n');
  write('CHANGELOG.md', '# Changelog\n\n## 1.4.2 - 2027-01-05\n\n- More.\n\n## 1.4.1\n');
  for (const program of ['bash', 'dirname', 'sed', 'head', 'git']) link(program);
  git('init', '--quiet');
  commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string) => writeFileSync(join(folder, 'repository', path), text);
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...words], {
    cwd: join(folder, 'repository'),
    encoding: 'utf8',
  });
const commit = () => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'x');
};

/** The script sees these programs and no others. */
function link(program: string, text?: string): void {
  const place = execFileSync('bash', ['-c', `command -v ${program === 'docker' ? 'true' : program}`], {
    encoding: 'utf8',
  });
  const path = join(folder, 'bin', program);
  writeFileSync(path, text ?? `#!/bin/sh\nexec ${place.trim()} "$@"\n`);
  chmodSync(path, 0o755);
}

/** A docker that notes what it is asked for, a line a word. */
const installDocker = () =>
  link('docker', `#!/bin/sh\nfor word in "$@"; do echo "$word"; done >> '${join(folder, 'asked')}'\n`);
const asked = () =>
  existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n') : [];

function release(...words: string[]): { status: number | null; said: string } {
  const { status, stderr } = spawnSync(join(folder, 'bin/bash'), [join(folder, 'repository/.ci/release'), ...words], {
    env: { PATH: join(folder, 'bin'), HOME: folder },
    encoding: 'utf8',
  });
  return { status, said: stderr };
}

describe('the release script', () => {
  test('is sound Bash', () => {
    expect(spawnSync('bash', ['-n', SCRIPT]).status).toBe(0);
    // Where there is a shellcheck, it has nothing to say.
    const checked = `! command -v shellcheck >/dev/null || shellcheck '${SCRIPT}'`;
    expect(spawnSync('bash', ['-c', checked]).status).toBe(0);
  });

  test('builds both platforms with what they are made of, into a file, and pushes only when it is told to', () => {
    installDocker();
    expect(release(IMAGE)).toEqual({ status: 0, said: '' });
    const words = asked();
    expect(words.slice(0, 4)).toEqual(['buildx', 'version', 'buildx', 'build']);
    expect(words[words.indexOf('--platform') + 1]).toBe('linux/amd64,linux/arm64');
    expect(words).toEqual(expect.arrayContaining(['--sbom=true', '--provenance=mode=max']));
    expect(words).toEqual(expect.arrayContaining([`${IMAGE}:1.4.2`, `${IMAGE}:1.4`, `${IMAGE}:latest`]));
    expect(words).toContain(`org.opencontainers.image.revision=${git('rev-parse', 'HEAD').trim()}`);
    expect(words).toContain('--output=type=oci,dest=quartermaster-1.4.2.oci.tar');
    expect(words).not.toContain('--push');
    expect(release(IMAGE, '--push').status).toBe(0);
    expect(asked()).toContain('--push');
  });

  test('refuses a version that the changelog does not begin with', () => {
    installDocker();
    write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- More.\n\n## 1.4.1\n');
    commit();
    const { status, said } = release(IMAGE, '--push');
    expect(status).toBe(1);
    expect(said).toContain('CHANGELOG.md begins with “Unreleased”, not with 1.4.2');
    expect(asked()).toEqual([]);
  });

  test('refuses a tree with changes that are not committed', () => {
    installDocker();
    write('left-over.ts', '');
    const { status, said } = release(IMAGE, '--push');
    expect(status).toBe(1);
    expect(said).toContain('there are changes that are not committed');
    expect(asked()).toEqual([]);
  });

  test('says that there is no docker', () => {
    expect(release(IMAGE)).toEqual({
      status: 1,
      said: 'release: there is no docker: install it with its buildx plugin.\n',
    });
  });

  test.each([
    [[], 'name the image first'],
    [['--push'], 'name the image first'],
    [[IMAGE, '--psuh'], 'there is only --push, not “--psuh”'],
    [[IMAGE, '--push', 'more'], 'there is only --push, not “--push more”'],
  ])('refuses %j', (words, sentence) => {
    installDocker();
    const { status, said } = release(...words);
    expect(status).toBe(1);
    expect(said).toContain(sentence);
    expect(asked()).toEqual([]);
  });
});
