import { readEnvironment } from '../../core/base/settings/environment.ts';
import { createScrub } from '../../core/base/privacy/scrub.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';
import { secretValues } from './settings.ts';

const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;

function describe(findings: readonly Finding[]): string {
  const aboutWidth = Math.max(...findings.map(({ about }) => about.length));
  const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
  return [
    ...findings.map(({ level, about, sentence }) => `${level.padEnd(7)}  ${about.padEnd(aboutWidth)}  ${sentence}`),
    '',
    `${plural(count('fault'), 'fault')}, ${plural(count('warning'), 'warning')}, ${count('ok')} in order.`,
  ].join('\n');
}

const { environment, faults } = readEnvironment(process.env);
const findings = await examine(environment, new Date(), faults);
const scrub = createScrub(secretValues(environment));
console.log(scrub(describe(findings)));
process.exitCode = findings.some(({ level }) => level === 'fault') ? 1 : 0;
