const UNRELEASED = '## Unreleased';
const SEMANTIC_VERSION = /^(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})$/;

export type Release = { isPossible: true; changelog: string; notes: string } | { isPossible: false; reason: string };

/**
 * Gives the changes below “Unreleased” a version and a day, and leaves an empty “Unreleased” above them.
 *
 * @param changelog the text of CHANGELOG.md
 * @param current the version of the last release: `0.2.0`
 * @param next the version to release, which must be higher: `0.3.0`
 * @param day `2026-11-24`
 * @returns the new text and the notes of this version, or why there can be no release
 * @see https://keepachangelog.com/
 */
export function releaseChangelog(changelog: string, current: string, next: string, day: string): Release {
  if (!SEMANTIC_VERSION.test(next)) return refusal(`“${next.slice(0, 40)}” is no version such as 0.3.0.`);
  if (!isHigher(next, current)) return refusal(`${next} is not higher than ${current}.`);
  const start = changelog.indexOf(`\n${UNRELEASED}\n`) + 1;
  if (start === 0) return refusal(`CHANGELOG.md has no section “${UNRELEASED}”.`);
  const from = start + UNRELEASED.length + 1;
  const end = changelog.indexOf('\n## ', from);
  const notes = changelog.slice(from, end === -1 ? undefined : end).trim();
  if (!/^- /m.test(notes)) return refusal('CHANGELOG.md lists no changes below “Unreleased”.');
  const after = changelog.slice(end === -1 ? changelog.length : end);
  const head = changelog.slice(0, from);
  return { isPossible: true, changelog: `${head}\n## ${next} - ${day}\n\n${notes}\n${after}`, notes: `${notes}\n` };
}

const refusal = (reason: string): Release => ({ isPossible: false, reason });

const numbersOf = (version: string) => version.split('.').map(Number);

function isHigher(next: string, current: string): boolean {
  const before = numbersOf(current);
  const difference = numbersOf(next)
    .map((number, index) => number - (before[index] ?? 0))
    .find((one) => one !== 0);
  return difference !== undefined && difference > 0;
}
