import type { Feature } from '../../feature.ts';
import type { ClickAction, ReadCommand } from '../../slack/interactions.ts';
import { ACTIONS } from './card/session-card-buttons.ts';
import { ANSWER_TITLE, showLastAnswer } from './card/last-answer.ts';
import { hookMessages } from './card/write-session-cards.ts';
import {
  muteByButton,
  runNotify,
  runTest,
  showDetails,
  showNewCode,
  turnOffByButton,
} from './commands/notify-handlers.ts';
import { parseNotify } from './commands/parse.ts';
import { DETAILS_TITLE } from './commands/views.ts';
import type { HookDeps } from './core/hooks-deps.ts';
import { forgetOverTokens } from './core/tokens.ts';
import { hooksRoute } from './inbox/route.ts';

export function readNotify(deps: HookDeps, words: readonly string[]): ReadCommand {
  const parsed = parseNotify(words);
  if (parsed.kind !== 'run') return parsed;
  const isQuestion = parsed.request.kind === 'status';
  return { kind: 'run', isQuestion, isRoleFresh: true, run: (by) => runNotify(deps, parsed.request, by) };
}

export function hooksParts(deps: HookDeps) {
  const role = 'member';
  const forget = () => forgetOverTokens(deps.db, deps.clock.now());
  const actions: ClickAction[] = [
    { actionId: ACTIONS.mute, role, isKept: true, run: (click) => muteByButton(deps, click, true) },
    { actionId: ACTIONS.unmute, role, isKept: true, run: (click) => muteByButton(deps, click, false) },
    { actionId: ACTIONS.off, role, isKept: true, run: (click) => turnOffByButton(deps, click) },
    { actionId: ACTIONS.test, role, run: (click) => runTest(deps, click) },
    { actionId: ACTIONS.newToken, role, isRoleFresh: true, run: (click) => showNewCode(deps, click) },
    {
      actionId: ACTIONS.details,
      role,
      modalTitle: DETAILS_TITLE,
      runInModal: (_click, modal) => showDetails(deps, modal),
    },
    {
      actionId: ACTIONS.answer,
      role,
      isRoleFresh: true,
      modalTitle: ANSWER_TITLE,
      runInModal: (click, modal) => showLastAnswer(deps, click, modal),
    },
  ];
  return {
    actions,
    hooksRoute: hooksRoute(deps),
    jobs: [{ name: 'forget-over-tokens', run: forget }],
    messages: hookMessages(deps),
  } satisfies Partial<Feature>;
}
