import type { SourceFile } from './parsing/sources.ts';

interface ShapeRule {
  /** What to write instead. */
  rule: string;
  pattern: RegExp;
  /** The files of `src` that may contain it, as a pattern. */
  allowed?: string;
  /** As many other files may contain it too. */
  maxFiles?: number;
  /** Code that breaks the rule. */
  planted: readonly string[];
}

const PROGRAMS = 'main.ts|.*/main.ts|app/erasure-program.ts';
const MARKUP = 'base/text/markup.ts|slack/blocks/blocks.ts';

export const SHAPE_RULES: readonly ShapeRule[] = [
  {
    rule: 'deliveries are enqueued by a declared kind (src/outbox/message-kind.ts)',
    pattern: /(?<![.\w])(?:enqueue|enqueueAll|enqueueSkipped)\(|\benqueueAll\b[^;]*from|insertInto\('deliveries'\)/,
    allowed: 'outbox/',
    planted: ['await enqueue(trx, {});', "import { enqueueAll } from '../a.ts';", "insertInto('deliveries')"],
  },
  {
    rule: 'stored payloads are parsed by the outbox',
    pattern: /JSON\.parse\([^)]*payload/i,
    allowed: 'outbox/',
    planted: ['JSON.parse(delivery.payload)'],
  },
  {
    rule: 'keys of deliveries are never taken apart: columns hold their parts',
    pattern:
      /[kK]ey\)?\??\.(?:split|slice|substring|startsWith|endsWith|replace|replaceAll|match|indexOf)\(|(?:exec|match)\(\w*(?:Key|key)\)/,
    // Names the former meanings of released keys, once.
    allowed: 'store/migrations/0009-delivery-about.ts',
    planted: ["const [, id] = messageKey.split(':');", 'PATTERN.exec(key)'],
  },
  {
    rule: 'three files record disclosures',
    pattern: /\brecordDisclosure\(|\brecord\(\{ to\b|insertInto\('figure_looks'\)/,
    maxFiles: 3,
    planted: ['await recordDisclosure(reader, names);'],
  },
  {
    rule: 'refusals are written by one function (src/slack/inbound/interaction.ts)',
    pattern:
      /\b(?:roleSentence|roleRefusal)\b|(?:for|and) admins of Quartermaster|Ask one of them|Only [^'`]*or an admin,? can\b/,
    allowed: 'slack/blocks/messages.ts|slack/inbound/interaction.ts',
    planted: ['markup`Only ${owner}, or an admin, can remove it.`', "roleSentence({ what: 'This', role: 'admin' })"],
  },
  {
    rule: 'programs read the environment and pass it in',
    pattern: /process\.env\b/,
    allowed: PROGRAMS,
    planted: ["process.env['PORT']"],
  },
  {
    rule: 'the clock is read in one place and passed in (src/base/time/clock.ts)',
    pattern: /\bnew Date\(\)|\bDate\.now\(/,
    // The supervisor of Socket Mode measures how long Slack was silent in the process's own time.
    allowed: `${PROGRAMS}|sandbox/|base/time/clock.ts|slack/connection/connection.ts`,
    planted: ['const now = new Date();', 'Date.now()'],
  },
  {
    rule: 'randomness is passed in',
    pattern: /Math\.random\b/,
    allowed: `${PROGRAMS}|sandbox/|app/services.ts|platform/client.ts|slack/connection/socket/socket-supervisor.ts`,
    planted: ['makeId(Math.random)'],
  },
  {
    rule: 'decisions neither read nor write: facts are passed in',
    pattern: /\bawait\b|\basync\b|^import \{[^}]*\} from '[^']*\/(?:store|outbox|platform)\//m,
    // All other files may.
    allowed: String.raw`(?!.*/core/(?:decide|states?)\.ts$|alerts/.*/plan\.ts$)`,
    planted: ['export const decide = async () => {};', "import { read } from '../../store/read.ts';"],
  },
  {
    rule: 'the permission to name people is granted in one place (src/slack/people/audience.ts)',
    pattern: /new Permission\(/,
    allowed: 'slack/people/audience.ts',
    planted: ['new Permission(reader)'],
  },
  {
    rule: 'the permission to name people is never asserted',
    pattern: /as (unknown as )?(NamingPermission|ForNamedChannel|ForManagers)\b/,
    planted: ['reader as unknown as NamingPermission', 'reader as ForManagers'],
  },
  {
    rule: 'people are named in a channel by a confirmed share or by sections that declare names',
    pattern: /\bNAMED_CHANNEL\b/,
    allowed: 'slack/people/audience.ts|usage/share.ts',
    planted: ['namesFor(NAMED_CHANNEL)'],
  },
  {
    rule: 'answers are shared with a channel by usage, which builds them for it (src/usage/share.ts)',
    pattern: /reply\.share\(/,
    // The guard records shared figures before it passes them on.
    allowed: 'slack/inbound/disclosure-guard.ts|usage/share.ts',
    planted: ['await reply.share(answer)'],
  },
  {
    rule: 'only builders of blocks and senders see the characters for Slack: pass the Markup on',
    pattern: /\bmrkdwnOf\b/,
    allowed: `${MARKUP}|ask/answers/captured-answer.ts|slack/outbound/(?:admin-notice|files|poster).ts|slack/blocks/inputs.ts|slack/inbound/(?:messages/message-)?reply.ts`,
    planted: ['mrkdwnOf(markup`a`)'],
  },
  {
    rule: 'text for Slack is made safe in one place (src/base/text/markup.ts)',
    pattern: /new Markup\b|type: 'mrkdwn'/,
    allowed: `${MARKUP}|sandbox/`,
    planted: ['new Markup(text)', "{ type: 'mrkdwn', text }"],
  },
  {
    rule: 'date-fns is loaded by src/base/time/date-fns.ts: as an ES module it takes seconds and 300 MB',
    pattern: /from 'date-fns\b|require\S*\('date-fns'\)/,
    allowed: 'base/time/date-fns.ts',
    planted: ["import { addDays } from 'date-fns';", "require('date-fns')"],
  },
];

// Block comments hold examples; a `//` may be part of an address.
const withoutComments = (text: string) => text.replaceAll(/\/\*\*[^]*?\*\//g, '');

/** The paths of the files that break a rule. */
export function filesThatBreak({ pattern, allowed = '$' }: ShapeRule, files: readonly SourceFile[]): string[] {
  const exceptions = new RegExp(`^src/(?:${allowed})`);
  return files
    .filter(({ path, text }) => !exceptions.test(path) && pattern.test(withoutComments(text)))
    .map(({ path }) => path);
}
