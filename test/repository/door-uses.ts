import type { SourceFile } from './parsing/sources.ts';

/** Work that a feature must leave to the outbox, and the places where the bot does it directly. */
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
];

export interface DoorUses {
  name: string;
  files: string[];
  maxFiles: number;
}

/** Counts the files of the bot that bypass the declared kinds and the door. Pure. */
export function doorUses(files: readonly SourceFile[]): DoorUses[] {
  const bot = files.filter(({ path }) => !path.startsWith('src/sandbox/'));
  return RULES.map(({ name, pattern, allowed, maxFiles }) => ({
    name,
    maxFiles,
    files: bot.filter(({ path, text }) => !allowed(path) && text.search(pattern) !== -1).map(({ path }) => path),
  }));
}
