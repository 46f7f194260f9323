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

const PROGRAMS = 'main.ts|.*/main.ts';
const MARKUP = 'base/text/markup.ts|slack/blocks/blocks.ts';

export const SHAPE_RULES: readonly ShapeRule[] = [
  {
    rule: 'a declared kind (src/core/outbox/message-kind.ts) enqueues deliveries and parses their payloads',
    pattern:
      /(?<![.\w])(?:enqueue|enqueueAll|enqueueSkipped)\(|\benqueueAll\b[^;]*from|insertInto\('deliveries'\)|JSON\.parse\([^)]*[pP]ayload/,
    allowed: 'outbox/',
    planted: ['enqueue(trx, {});', "import { enqueueAll } from '../a.ts';", 'JSON.parse(delivery.payload)'],
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
    rule: 'refusals are written by one function (src/core/slack/inbound/interaction.ts)',
    pattern:
      /\b(?:roleSentence|roleRefusal)\b|(?:for|and) admins of Quartermaster|Ask one of them|Only [^'`]*or an admin,? can\b/,
    allowed: 'slack/blocks/messages.ts|slack/inbound/interaction.ts',
    planted: ['markup`Only ${owner}, or an admin, can remove it.`', "roleSentence({ what: 'This', role: 'admin' })"],
  },
  {
    rule: 'one copy of undici is loaded: `fetch` is imported from the package, since the global one is a second copy',
    pattern: /^(?![^]*import [^;]*\bfetch\b[^;]* from 'undici')[^]*(?:await|return|=>?) fetch\(/,
    allowed: 'sandbox/|doctor/',
    planted: ['const answer = await fetch(url);'],
  },
  {
    rule: '`process.getBuiltinModule` loads node:http, since an import loads a second copy of undici',
    pattern: /^import (?!type\b)[^;]* from 'node:https?'/m,
    allowed: 'sandbox/',
    planted: ["import { createServer, type Server } from 'node:http';"],
  },
  {
    rule: 'programs read the environment and pass it in',
    pattern: /process\.env\b/,
    allowed: PROGRAMS,
    planted: ["process.env['PORT']"],
  },
  {
    rule: 'the clock is read in one place and passed in (src/core/base/time/clock.ts)',
    pattern: /\bnew Date\(\)|\bDate\.now\(/,
    // The supervisor of Socket Mode measures how long Slack was silent in the process's own time.
    allowed: `${PROGRAMS}|sandbox/|base/time/clock.ts|slack/receivers/connection.ts`,
    planted: ['const now = new Date();', 'Date.now()'],
  },
  {
    rule: 'randomness is passed in',
    pattern: /Math\.random\b/,
    allowed: `${PROGRAMS}|sandbox/|app/services.ts|platform/client.ts|slack/receivers/socket/socket-supervisor.ts`,
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
    rule: 'the permission to name people is never asserted: src/core/slack/people/people.ts grants it',
    pattern: /as (unknown as )?(NamingPermission|ForNamedChannel|ForManagers)\b/,
    planted: ['reader as unknown as NamingPermission', 'reader as ForManagers'],
  },
  {
    rule: 'one file shares answers with a channel, and people are named there by its confirmed share (src/features/usage/share.ts)',
    pattern: /\bNAMED_CHANNEL\b|reply\.share\(/,
    // The guard records shared figures before it passes them on.
    allowed: 'slack/people/audience.ts|slack/outbound/disclosure-guard.ts|usage/share.ts',
    planted: ['namesFor(NAMED_CHANNEL)', 'await reply.share(answer)'],
  },
  {
    rule: 'only builders of blocks and senders see the characters for Slack: pass the Markup on',
    pattern: /\bmrkdwnOf\b/,
    allowed: `${MARKUP}|ask/answers/captured-answer.ts|slack/outbound/(?:admin-notice|files|poster).ts|slack/blocks/inputs.ts|slack/inbound/(?:message-reply|replies).ts`,
    planted: ['mrkdwnOf(markup`a`)'],
  },
  {
    rule: 'text for Slack is made safe in one place (src/core/base/text/markup.ts)',
    pattern: /type: 'mrkdwn'/,
    allowed: `${MARKUP}|sandbox/`,
    planted: ["{ type: 'mrkdwn', text }"],
  },
  {
    rule: 'src/features/limits/core/ledger.ts alone decides which limit is known: the others read history',
    pattern: /\bnewestEntries\(|(?:selectFrom|Join)\('(?:limitLedger|declaredLimits)\b/,
    allowed:
      'limits/core/(?:limit-of|ledger).ts|limits/apply/batches.ts|limits/declare/declared-limits.ts|limits/limit-retention.ts|limit-policies/live/withhold.ts|limits/decide/end-of-grant.ts|limit-policies/back-test/read-past.ts|limits/views/audit-rows.ts',
    planted: ['await newestEntries(db, emails)', "db.selectFrom('limitLedger').selectAll()"],
  },
  {
    rule: 'date-fns is loaded by src/core/base/time/date-fns.ts: as an ES module it takes seconds and 300 MB',
    pattern: /from 'date-fns\b|require\S*\('date-fns'\)/,
    allowed: 'base/time/date-fns.ts',
    planted: ["import { addDays } from 'date-fns';", "require('date-fns')"],
  },
];

// Block comments hold examples; a `//` may be part of an address.
const withoutComments = (text: string) => text.replaceAll(/\/\*\*[^]*?\*\//g, '');

/** The paths of the files that break a rule. */
export function filesThatBreak({ pattern, allowed = '$' }: ShapeRule, files: readonly SourceFile[]): string[] {
  const exceptions = new RegExp(`^src/(?:(?:core|features|programs)/)?(?:${allowed})`);
  return files
    .filter(({ path, text }) => !exceptions.test(path) && pattern.test(withoutComments(text)))
    .map(({ path }) => path);
}
