import { z } from 'zod';
import { formatAmount, readAmount } from '../../../core/base/text/amounts.ts';
import { joinMarkup, markup, type Markup } from '../../../core/base/text/markup.ts';
import { context, section } from '../../../core/slack/blocks/blocks.ts';
import { modal, sentenceView, type ModalView } from '../../../core/slack/blocks/views.ts';
import { freshModalAction } from '../../../core/slack/interactions/click-actions.ts';
import { defineForm, textField, type FormValues } from '../../../core/slack/interactions/form-fields.ts';
import { errorsOf, formHandler, freshFormReading } from '../../../core/slack/interactions/forms.ts';
import type { ClickAction, Form } from '../../../core/slack/interactions/interactions.ts';
import { amountProblem, readAmountRule } from '../../limits/core/amount-rule.ts';
import { isLeadOf } from '../rules/decide-team.ts';
import { lowerTeam, type PolicyChange } from '../manage/change-policy.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { isTeamRules } from '../rules/policy-rules.ts';
import { whyNotLowered } from '../rules/policy-states.ts';
import { findPolicy } from '../store/policy-store.ts';
import { policyRefusalText, rulesSentences } from '../store/policy-words.ts';
import { POLICY_ACTIONS, readAboutPolicy, type AboutPolicy } from './policy-buttons.ts';
import { poolFrom, poolProblem, positiveProblem } from './read-policy-form.ts';

const LOWER_FORM = 'limits_team_lower_form';
const TITLE = 'Lower the pool';

const lowerForm = defineForm()({
  pool: textField(() => ({ label: 'Pool: credits a period', isOptional: true, longest: 30 })),
  cap: textField(() => ({ label: 'Highest limit', longest: 30 })),
});

type LowerValues = FormValues<typeof lowerForm>;

function lowerView(values: LowerValues, about: AboutPolicy, problem?: Markup): ModalView {
  return modal({
    title: TITLE,
    submit: 'Lower',
    callbackId: LOWER_FORM,
    metadata: JSON.stringify(about),
    blocks: [
      ...(problem ? [section(markup`*${problem}*`)] : []),
      ...lowerForm.blocks(undefined, values),
      context(
        markup`It holds at once, and the admins and the other leads are told. What is granted stays. To raise it again, two admins have to agree.`,
      ),
    ],
  });
}

/** Opens the form for a lead of the team. */
export const lowerAction = (deps: PolicyDeps): ClickAction =>
  freshModalAction(POLICY_ACTIONS.lower, 'member', TITLE, async ({ value, person }, opened) => {
    const { id } = readAboutPolicy(value);
    const policy = await findPolicy(deps.db, id);
    if (!policy || !isTeamRules(policy.rules)) return opened.show(sentenceView(TITLE, GONE));
    const { rules, version, state } = policy;
    const isLead = isLeadOf(rules, person.slackId, await deps.people.teamsNow());
    const reason = whyNotLowered(state, { isLead, change: undefined });
    if (reason) return opened.show(sentenceView(TITLE, policyRefusalText(reason, policy)));
    await opened.show(
      lowerView(
        { pool: rules.pool === null ? '' : formatAmount(rules.pool), cap: formatAmount(rules.cap) },
        { id, version },
      ),
    );
  });

const GONE = 'This team was deleted.';
const RACED = 'Somebody else changed this team at the same time. Type `/limits team` to see how it is now.';

const aboutSchema = z.object({ id: z.string().max(20), version: z.int() });

export const lowerTeamForm = (deps: PolicyDeps): Form =>
  // Who leads the team is no role, so the handler refuses others.
  formHandler(LOWER_FORM, 'member', (state, metadata) => {
    const about = aboutSchema.parse(JSON.parse(metadata));
    const values = lowerForm.read(state);
    const errors = errorsOf([
      [poolProblem(values.pool), 'pool'],
      [positiveProblem(values.cap), 'cap'],
    ]);
    return freshFormReading(errors, 'Saving it …', async ({ person }, opened) => {
      const bounds = { pool: poolFrom(values.pool), cap: readAmount(values.cap).amount ?? 0 };
      const fault = amountProblem(await readAmountRule(deps), bounds.cap);
      if (fault !== undefined) return opened.show(lowerView(values, about, markup`${fault}`));
      const result = await lowerTeam(deps, about.id, about.version, person.slackId, bounds);
      await opened.show(resultView(result, values, about));
    });
  });

function resultView(result: PolicyChange, values: LowerValues, about: AboutPolicy): ModalView {
  switch (result.kind) {
    case 'changed': {
      const sentence = markup`✅ *Lowered.* ${joinMarkup(rulesSentences(result.policy.rules).slice(0, 2), ' ')}`;
      return sentenceView(TITLE, sentence);
    }
    case 'refused': {
      const text = policyRefusalText(result.reason, result.policy);
      const canCorrect = result.reason === 'raised' || result.reason === 'kept';
      return canCorrect ? lowerView(values, about, text) : sentenceView(TITLE, text);
    }
    case 'raced':
      return sentenceView(TITLE, RACED);
    case 'unknown':
      return sentenceView(TITLE, GONE);
    default:
      return result satisfies never;
  }
}
