/** `npm run release -- 0.3.0`: makes a version out of what CHANGELOG.md lists, as a commit and a tag. It pushes nothing. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '../../../package.json' with { type: 'json' };
import { releaseChangelog } from './changelog.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CHANGELOG = `${ROOT}CHANGELOG.md`;

const run = (program: string, words: readonly string[], input?: string) =>
  execFileSync(program, words, { cwd: ROOT, encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] }).trim();

function stop(reason: string): never {
  console.error(reason);
  process.exit(1);
}

const [version = ''] = process.argv.slice(2);
const tag = `v${version}`;
const day = new Date().toISOString().slice(0, 10);
const release = releaseChangelog(readFileSync(CHANGELOG, 'utf8'), packageJson.version, version, day);
if (!release.isPossible) stop(release.reason);
if (run('git', ['status', '--porcelain']) !== '')
  stop('There are changes that are not committed: commit or remove them.');
if (run('git', ['tag', '--list', tag]) !== '') stop(`There is a tag ${tag} already.`);

writeFileSync(CHANGELOG, release.changelog);
// It sets the version in package.json and package-lock.json.
run('npm', ['version', version, '--no-git-tag-version', '--ignore-scripts']);
run('git', ['commit', '--quiet', '--all', '--message', `Release ${version}`]);
// Git would take the headings of the notes for comments.
run('git', ['tag', '--annotate', tag, '--cleanup=verbatim', '--file=-'], `Version ${version}\n\n${release.notes}`);
console.log(`Version ${version} is the tag ${tag}. Its notes: git tag --list ${tag} --format='%(contents:body)'`);
console.log('Publish it: git push --follow-tags');
