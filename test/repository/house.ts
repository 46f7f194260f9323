/** `npm run house`: which rooms and folders of the sources import which, and which of them import each other. */
import { botFiles, localImports, typeScriptFiles } from './parsing/sources.ts';

/** Each pair of places of which the first imports the second, as `a → b`. */
function arrowsOf(prefix: string, placeOf: (path: string) => string): string[] {
  const arrows = typeScriptFiles('src')
    .filter(({ path }) => path.startsWith(prefix))
    .flatMap((file) =>
      localImports(file)
        .filter((target) => target.startsWith(prefix))
        .map((target) => [placeOf(file.path), placeOf(target)] as const),
    )
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${from} → ${to}`);
  return [...new Set(arrows)].toSorted();
}

const mutualIn = (arrows: readonly string[]) =>
  arrows.filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' → ');
    return from < to && arrows.includes(`${to} → ${from}`);
  });

const placeIn = (prefix: string) => (path: string) => path.slice(prefix.length).split('/')[0] ?? '';

function print(title: string, arrows: readonly string[]): void {
  const mutual = mutualIn(arrows);
  process.stdout.write(`${title}: ${arrows.length} arrows, ${mutual.length} mutual pairs\n`);
  for (const arrow of mutual) process.stdout.write(`  ${arrow} and back\n`);
}

const rooms = arrowsOf('src/', placeIn('src/'));
print('between the rooms', rooms);
for (const arrow of rooms) process.stdout.write(`  ${arrow}\n`);
for (const room of ['core', 'features']) print(`inside ${room}`, arrowsOf(`src/${room}/`, placeIn(`src/${room}/`)));
const folders = [
  ...new Set(botFiles().flatMap(({ path }) => path.match(/^src\/(?:core|features|programs)\/[^/]+\//) ?? [])),
];
for (const folder of folders) {
  const mutual = mutualIn(arrowsOf(folder, placeIn(folder)));
  if (mutual.length > 0) process.stdout.write(`in ${folder}: ${mutual.join(', ')}\n`);
}
