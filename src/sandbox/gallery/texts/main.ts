/** Prints every text for users by screen and state: `npm run texts`, or a part of it: `npm run texts -- /usage`. */
import { playGallery } from '../play.ts';
import type { Shot } from '../../page/shot.ts';
import { readabilityOf } from '../readability.ts';
import { linesOf } from '../text-of-blocks.ts';
import { doctorSection, endingSection, settingsSection, type OperatorSection } from './operator.ts';

const [only = ''] = process.argv.slice(2);
const all: string[] = [];

function print(shot: Shot): void {
  const { screen, state, reader, surface, text, blocks, view } = shot;
  if (!screen.includes(only)) return;
  const lines = linesOf(blocks);
  const buttons = [view?.['submit'], view?.['close']].flatMap((button) => linesOf(button ? [{ text: button }] : []));
  all.push(...lines);
  const characters = lines.join('\n').length;
  console.log(`\n## ${screen}: ${state} (${surface}, ${reader}; ${blocks.length} blocks, ${characters} characters)`);
  if (surface !== 'home') console.log(`“${text}”`);
  for (const line of lines) console.log(line);
  if (buttons.length > 0) console.log(buttons.map((label) => `[${label}]`).join(' '));
}

function printSection({ title, lines }: OperatorSection): void {
  if (!title.includes(only)) return;
  all.push(...lines);
  console.log(`\n## ${title} (terminal, operator)\n${lines.join('\n')}`);
}

// Starts the slow sections first, so that they run during the gallery.
const waitedFor = Promise.all([doctorSection(), endingSection()]);
await playGallery(print);
for (const section of [settingsSection(), ...(await waitedFor)]) printSection(section);

const { words, wordsPerSentence, grade } = readabilityOf(all);
console.log(
  `\n${words} words in sentences of ${wordsPerSentence.toFixed(1)} words; Flesch–Kincaid grade ${grade.toFixed(1)}`,
);
