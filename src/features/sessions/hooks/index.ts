import type { Feature } from '../../../core/feature.ts';
import {
  changeAction,
  readAction,
  freshReadAction,
  modalAction,
  freshModalAction,
} from '../../../core/slack/interactions/click-actions.ts';
import type { ClickAction, ReadCommand } from '../../../core/slack/interactions/interactions.ts';
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
import type { HookCardDeps, HookDeps } from './core/hooks-deps.ts';
import { forgetOverTokens } from './core/tokens.ts';

export function readNotify(deps: HookDeps, words: readonly string[]): ReadCommand {
  const parsed = parseNotify(words);
  if (parsed.kind !== 'run') return parsed;
  const isQuestion = parsed.request.kind === 'status';
  return { kind: 'run', isQuestion, isRoleFresh: true, run: (by) => runNotify(deps, parsed.request, by) };
}

export function hooksParts(deps: HookCardDeps) {
  const role = 'member';
  const forget = () => forgetOverTokens(deps.db, deps.clock.now());
  const actions: ClickAction[] = [
    changeAction(ACTIONS.mute, role, (click) => muteByButton(deps, click, true)),
    changeAction(ACTIONS.unmute, role, (click) => muteByButton(deps, click, false)),
    changeAction(ACTIONS.off, role, (click) => turnOffByButton(deps, click)),
    readAction(ACTIONS.test, role, (click) => runTest(deps, click)),
    freshReadAction(ACTIONS.newToken, role, (click) => showNewCode(deps, click)),
    modalAction(ACTIONS.details, role, DETAILS_TITLE, (_click, modal) => showDetails(deps, modal)),
    freshModalAction(ACTIONS.answer, role, ANSWER_TITLE, (click, modal) => showLastAnswer(deps, click, modal)),
  ];
  return {
    actions,
    jobs: [
      {
        name: 'forget-over-tokens',
        cron: '7 * * * *',
        purpose: 'deletes tokens of `/session notify` that ended',
        run: forget,
      },
    ],
    messages: hookMessages(deps),
  } satisfies Partial<Feature>;
}
