import { joinMarkup, markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { formatShortAmount } from '../../../core/base/text/amounts.ts';
import { formatDay } from '../../../core/base/time/calendar.ts';
import type { Reader } from '../../../core/outbox/reader.ts';
import { isTeamRules } from '../rules/policy-rules.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { buttonRow, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import { leadsOf } from '../rules/decide-team.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { holdLines, PAUSE_WORDS, rulesSentences, subjectMarkup } from '../store/policy-words.ts';
import { findPolicy, type StoredPolicy } from '../store/policy-store.ts';
import { summaryLines } from './pool-summaries.ts';
import { policyNotice, type PolicyNotice } from './policy-notices.ts';

export const noticeMessages = (deps: PolicyDeps): MessageHandler[] =>
  policyNotice.handledBy(deps, async ({ payload }, reader) => {
    const isAdmin = reader.kind === 'person' && hasRole(reader.role, 'admin');
    const isOfTeam = OF_TEAMS.has(payload.event);
    if (!isAdmin && isOfTeam && 'id' in payload && !(await isLedBy(deps, payload.id, reader)))
      return { kind: 'skip', reason: 'The reader no longer leads this team.' };
    const written = await linesOf(deps, payload, reader);
    if (!written) return { kind: 'skip', reason: 'The policy has changed since.' };
    const words = isOfTeam ? (isAdmin ? commandText`teams` : commandText`team`) : commandText`policies`;
    const open = runCommandButton('Open', '/limits', words);
    const { lines, named = [] } = Array.isArray(written) ? { lines: written } : written;
    const message = messageOf(prose(lines), buttonRow(open));
    if (named.length === 0) return { kind: 'send', message: namesNobody(message) };
    return { kind: 'send', message: { ...message, names: { what: 'limit_review', of: named } } };
  });

/** Leads read them, too. */
const OF_TEAMS: ReadonlySet<PolicyNotice['event']> = new Set(['pool', 'lowered', 'summary']);

async function isLedBy({ db, people }: PolicyDeps, id: string, reader: Reader): Promise<boolean> {
  const rules = (await findPolicy(db, id))?.rules;
  if (reader.kind !== 'person' || !rules || !isTeamRules(rules)) return false;
  return leadsOf(rules, (await people.teamsNow()) ?? []).includes(reader.slackId);
}

async function linesOf(
  deps: PolicyDeps,
  notice: PolicyNotice,
  reader: Reader,
): Promise<Markup[] | { lines: Markup[]; named: string[] } | undefined> {
  const { db, clock } = deps;
  if (notice.event === 'paused') return pausedLines(notice);
  const policy = await findPolicy(db, notice.id);
  if (notice.event === 'pool') return policy && poolLines(policy, notice);
  if (notice.event === 'lowered') return policy && loweredLines(policy, notice);
  if (notice.event === 'summary') {
    const { rules, state } = policy ?? {};
    return rules && isTeamRules(rules) && state !== 'removed' ? summaryLines(deps, rules, notice, reader) : undefined;
  }
  if (notice.event === 'removed')
    return (
      policy?.held && [
        markup`🗑️ *${mention(policy.hold?.by ?? '')} deleted the policy “${policy.name}”.*`,
        ...holdLines(policy),
      ]
    );
  if (!policy || policy.version !== notice.version) return undefined;
  const about = [
    markup`For ${subjectMarkup(policy.rules.subject)}.`,
    ...rulesSentences(policy.rules).map((sentence) => markup`${sentence}`),
  ];
  if (notice.event === 'tested') {
    if (policy.state !== 'draft') return undefined;
    return [
      markup`📝 *The policy “${policy.name}” (version ${policy.version}) waits for activation.* ${mention(policy.draftedBy)} wrote it, and it is back-tested. Another admin can activate it.`,
      ...about,
    ];
  }
  if (policy.state !== 'active') return undefined;
  const alone = policy.isActivatedAlone ? markup` alone, because there is no other admin` : markup``;
  const until = policy.dryRunUntil;
  const dry = until && until > clock.now() ? markup` Dry run until ${readerTime(until)}; then it acts.` : markup``;
  return [
    markup`✅ *${mention(policy.activatedBy ?? '')} activated the policy “${policy.name}” (version ${policy.version})*${alone}.${dry}`,
    ...about,
  ];
}

function poolLines(
  { rules, state }: StoredPolicy,
  { charged, until }: Extract<PolicyNotice, { event: 'pool' }>,
): Markup[] | undefined {
  if (!isTeamRules(rules) || rules.pool === null || state === 'removed') return undefined;
  const percent = Math.floor((charged / rules.pool) * 100);
  return [
    markup`⚠️ *${percent}% of the pool of @${rules.subject.handle} is granted*: ${formatShortAmount(charged)} of ${formatShortAmount(rules.pool)} until ${formatDay(until)}.`,
    markup`What it does not hold goes to the admins.`,
  ];
}

const amountWords = (one: number | null) => (one === null ? 'no pool' : formatShortAmount(one));

const changeWords = (what: string, from: number | null, to: number | null): Markup[] =>
  from === to ? [] : [markup`${what} from ${amountWords(from)} to ${amountWords(to)}`];

/** @example '🔽 *@nora lowered the bounds of @web-team*: the pool from 300 M to 200 M.' */
function loweredLines(
  { rules, state }: StoredPolicy,
  { by, before, after }: Extract<PolicyNotice, { event: 'lowered' }>,
): Markup[] | undefined {
  if (!isTeamRules(rules) || state === 'removed') return undefined;
  const changes = [
    ...changeWords('the pool', before.pool, after.pool),
    ...changeWords('the highest limit', before.cap, after.cap),
  ];
  return [
    markup`🔽 *${mention(by)} lowered what the leads of @${rules.subject.handle} can grant*: ${joinMarkup(changes, ', ')}.`,
    markup`What is granted stays. To raise it again, two admins have to agree.`,
  ];
}

function pausedLines({ names, reason, by }: Extract<PolicyNotice, { event: 'paused' }>): Markup[] {
  const who = by === null ? markup`` : markup` by ${mention(by)}`;
  return [
    markup`⏸️ *${countOf(names.length, 'limit policy', 'limit policies')} paused${who}*: ${PAUSE_WORDS[reason]}.`,
    markup`${names.map((name) => `“${name}”`).join(', ')}. People decide requests until an admin resumes ${names.length === 1 ? 'it' : 'them'}. No other policy takes over in the meantime.`,
  ];
}
