import { markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { buttonRow, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { holdLines, PAUSE_WORDS, rulesSentences, subjectMarkup } from '../store/policy-words.ts';
import { findPolicy } from '../store/policy-store.ts';
import { policyNotice, type PolicyNotice } from './policy-notices.ts';

export const noticeMessages = (deps: PolicyDeps): MessageHandler[] =>
  policyNotice.handledBy(deps, async ({ payload }) => {
    const lines = await linesOf(deps, payload);
    if (!lines) return { kind: 'skip', reason: 'The policy has changed since.' };
    const open = runCommandButton('Open', '/limits', commandText`policies`);
    return { kind: 'send', message: namesNobody(messageOf(prose(lines), buttonRow(open))) };
  });

async function linesOf({ db, clock }: PolicyDeps, notice: PolicyNotice): Promise<Markup[] | undefined> {
  if (notice.event === 'paused') return pausedLines(notice);
  const policy = await findPolicy(db, notice.id);
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

function pausedLines({ names, reason, by }: Extract<PolicyNotice, { event: 'paused' }>): Markup[] {
  const who = by === null ? markup`` : markup` by ${mention(by)}`;
  return [
    markup`⏸️ *${countOf(names.length, 'limit policy', 'limit policies')} paused${who}*: ${PAUSE_WORDS[reason]}.`,
    markup`${names.map((name) => `“${name}”`).join(', ')}. People decide requests until an admin resumes ${names.length === 1 ? 'it' : 'them'}. No other policy takes over in the meantime.`,
  ];
}
