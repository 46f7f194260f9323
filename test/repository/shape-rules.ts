import type { SourceFile } from './parsing/sources.ts';

const isProgram = (path: string) => /\/main\.ts$|^src\/(?:main|app\/erasure-program)\.ts$/.test(path);

/** What a file may not do because one place does it, and the places that may. */
const RULES: readonly { name: string; pattern: RegExp; allowed: (path: string) => boolean; maxFiles: number }[] = [
  {
    name: 'deliveries enqueued other than by a declared kind',
    pattern: /(?<![.\w])(?:enqueue|enqueueAll|enqueueSkipped)\(|\benqueueAll\b[^;]*from|insertInto\('deliveries'\)/g,
    allowed: (path) => path.startsWith('src/outbox/'),
    maxFiles: 0,
  },
  {
    name: 'stored payloads parsed outside the outbox',
    pattern: /JSON\.parse\([^)]*payload/gi,
    allowed: (path) => path.startsWith('src/outbox/'),
    maxFiles: 0,
  },
  {
    name: 'keys of deliveries taken apart',
    pattern:
      /[kK]ey\)?\??\.(?:split|slice|substring|startsWith|endsWith|replace|replaceAll|match|indexOf)\(|(?:exec|match)\(\w*(?:Key|key)\)/g,
    // Names the former meanings of released keys, once.
    allowed: (path) => path === 'src/store/migrations/0009-delivery-about.ts',
    maxFiles: 0,
  },
  {
    name: 'files that record disclosures',
    pattern: /\brecordDisclosure\(|\brecord\(\{ to\b|insertInto\('figure_looks'\)/g,
    allowed: () => false,
    maxFiles: 3,
  },
  {
    name: 'refusals in words of their own',
    pattern:
      /\b(?:roleSentence|roleRefusal)\b|(?:for|and) admins of Quartermaster|Ask one of them|Only [^'`]*or an admin,? can\b/g,
    allowed: (path) => path === 'src/slack/blocks/messages.ts' || path === 'src/slack/inbound/interaction.ts',
    maxFiles: 0,
  },
  {
    name: 'reads of the environment outside programs',
    pattern: /process\.env\b/g,
    allowed: isProgram,
    maxFiles: 0,
  },
  {
    name: 'reads of the clock outside the clock',
    pattern: /\bnew Date\(\)|\bDate\.now\(/g,
    // The supervisor of Socket Mode measures how long Slack was silent in the process's own time.
    allowed: (path) =>
      isProgram(path) || path === 'src/base/time/clock.ts' || path === 'src/slack/connection/connection.ts',
    maxFiles: 0,
  },
  {
    name: 'randomness that is not passed in',
    pattern: /Math\.random\b/g,
    allowed: (path) =>
      isProgram(path) ||
      ['src/app/services.ts', 'src/platform/client.ts', 'src/slack/connection/socket/socket-supervisor.ts'].includes(
        path,
      ),
    maxFiles: 0,
  },
  {
    name: 'decisions that read or write',
    pattern: /\bawait\b|\basync\b|^import \{[^}]*\} from '[^']*\/(?:store|outbox|platform)\//gm,
    // All other files may: a decision is in one of these.
    allowed: (path) => !/\/core\/(?:decide|states?)\.ts$|^src\/alerts\/.*\/plan\.ts$/.test(path),
    maxFiles: 0,
  },
];

// Block comments hold examples; a `//` may be part of an address.
const withoutComments = (text: string) => text.replaceAll(/\/\*\*[^]*?\*\//g, '');

export interface ShapeFault {
  name: string;
  files: string[];
  maxFiles: number;
}

/** Counts the files of the bot that break each rule. Pure. */
export function shapeFaults(files: readonly SourceFile[]): ShapeFault[] {
  const bot = files.filter(({ path }) => !path.startsWith('src/sandbox/'));
  return RULES.map(({ name, pattern, allowed, maxFiles }) => ({
    name,
    maxFiles,
    files: bot
      .filter(({ path, text }) => !allowed(path) && withoutComments(text).search(pattern) !== -1)
      .map(({ path }) => path),
  }));
}
