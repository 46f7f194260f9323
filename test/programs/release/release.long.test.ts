import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { ROOT } from '../../repository/parsing/sources.ts';

const NEXT = '98.7.6';
const CHANGE = '- A change that is in no version yet.';
const AUTHOR = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@acme.example' };
const COMMITTER = { GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@acme.example' };

/** A clone, as on the machine of who makes the release. */
describe('a release, from clone to bundle', () => {
  let folder: string;
  let clone: string;
  const run = (cwd: string, program: string, ...words: string[]) => {
    const env = { ...process.env, ...AUTHOR, ...COMMITTER };
    const { promise, resolve } = Promise.withResolvers<{ isDone: boolean; output: string }>();
    execFile(program, words, { cwd, env }, (error, stdout, stderr) =>
      resolve({ isDone: error === null, output: (stdout + stderr).trim() }),
    );
    return promise;
  };
  const git = async (...words: string[]) => (await run(clone, 'git', ...words)).output;
  const release = (version: string) => run(clone, process.execPath, 'src/programs/release/main.ts', version);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quartermaster-release-'));
    clone = join(folder, 'clone');
    await run(folder, 'git', 'clone', '--quiet', ROOT, clone);
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    // A link is no folder for the line “node_modules/” of .gitignore.
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    // Right after a release, nothing is unreleased.
    const changelog = join(clone, 'CHANGELOG.md');
    const before = readFileSync(changelog, 'utf8');
    writeFileSync(changelog, before.replace('## Unreleased\n', `## Unreleased\n\n${CHANGE}\n`));
    await git('commit', '--quiet', '--all', '--message', 'Change something');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is refused while something is not committed, and changes nothing', async () => {
    const changelog = join(clone, 'CHANGELOG.md');
    const before = readFileSync(changelog, 'utf8');
    writeFileSync(changelog, before.replace('## Unreleased\n', '## Unreleased\n\n- Not committed.\n'));
    const { isDone, output } = await release(NEXT);
    expect([isDone, output]).toEqual([false, 'There are changes that are not committed: commit or remove them.']);
    writeFileSync(changelog, before);
    expect(await git('status', '--porcelain')).toBe('');
  });

  test('is one commit and one tag with the notes, and the version everywhere', async () => {
    const head = await git('rev-parse', 'HEAD');
    expect(await release(NEXT)).toMatchObject({ isDone: true });
    expect(await git('rev-parse', 'HEAD~1')).toBe(head);
    expect(await git('status', '--porcelain')).toBe('');
    expect((await git('show', '--name-only', '--format=%s', 'HEAD')).split('\n').filter(Boolean)).toEqual([
      `Release ${NEXT}`,
      'CHANGELOG.md',
      'package-lock.json',
      'package.json',
    ]);
    const notes = await git('tag', '--list', `v${NEXT}`, '--format=%(contents:body)');
    expect(notes).toContain(CHANGE);
    const [, ofEarlierVersion = ''] = /^## 0\.2\.0[\s\S]*?^(- .+)$/m.exec(await git('show', 'HEAD:CHANGELOG.md')) ?? [];
    expect(ofEarlierVersion).not.toBe('');
    expect(notes).not.toContain(ofEarlierVersion);
    for (const file of ['package.json', 'package-lock.json'])
      expect(readFileSync(join(clone, file), 'utf8')).toContain(`"version": "${NEXT}"`);
  });

  test('is refused a second time', async () => {
    expect(await release(NEXT)).toEqual({ isDone: false, output: `${NEXT} is not higher than ${NEXT}.` });
  });

  test('has a bundle that runs alone, with this version', async () => {
    expect(await run(clone, process.execPath, 'src/programs/bundle/main.ts')).toMatchObject({ isDone: true });
    const installed = join(folder, 'installed');
    cpSync(join(clone, 'dist'), join(installed, 'dist'), { recursive: true });
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
    writeFileSync(join(installed, 'package.json'), '{ "type": "module" }');
    const { isDone, output } = await run(installed, process.execPath, 'dist/main.js');
    expect(isDone).toBe(false);
    expect(output).toContain('SLACK_BOT_TOKEN is missing');
    expect(readFileSync(join(installed, 'dist/main.js'), 'utf8')).toContain(NEXT);
    expect(packageJson.version).not.toBe(NEXT);
  });

  test('is started by npm start as a bundle, and names the build once a source has changed', async () => {
    const bundle = join(clone, 'dist/main.js');
    writeFileSync(bundle, `process.stderr.write('This is the bundle.');\n${readFileSync(bundle, 'utf8')}`);
    const start = async () => (await run(clone, process.execPath, 'src/programs/start/main.js')).output;
    expect(await start()).toMatch(/This is the bundle\.[\s\S]*SLACK_BOT_TOKEN is missing/);
    writeFileSync(join(clone, 'src/main.ts'), readFileSync(join(clone, 'src/main.ts'), 'utf8'));
    expect(await start()).toBe(
      'Quartermaster cannot start: its program is older than the sources. Run npm run build, then npm start again.',
    );
    rmSync(join(clone, 'dist'), { recursive: true });
    expect(await start()).toBe(
      'Quartermaster cannot start: its program is not built yet. Run npm run build, then npm start again.',
    );
  });
});
