import { freshReadAction, readAction, freshModalAction } from '../../core/slack/interactions/click-actions.ts';
import type { Feature } from '../../core/feature.ts';
import type { AskDeps } from './ask-deps.ts';
import { withAsk } from './ask-tables.ts';
import { answerMessage } from './messages/answer-message.ts';
import { mcpRoute } from './mcp/mcp-route.ts';
import { loadedServer } from './mcp/loaded-server.ts';
import { createMcpServer } from './mcp/mcp-server.ts';
import { forgetOldCounts } from './question-limits.ts';
import { readTokenCommand, revokeByAdmin, showNewToken, showTokens, turnOff } from './tokens/token-handlers.ts';
import { forgetEndedTokens } from './tokens/token-store.ts';
import { createReadMessage } from './words/read-words.ts';
import { ACTIONS, TOKENS_TITLE } from './tokens/token-views.ts';
import type { Services } from '../../core/services.ts';

/** Answers questions of people that come by other ways than slash commands. */
export function createAskFeature(services: Services & Omit<AskDeps, 'db'>): Feature {
  const deps: AskDeps = { ...services, db: withAsk(services.db) };
  const readMessage = createReadMessage(deps.people);
  const server = loadedServer(() => createMcpServer(deps));
  return {
    name: 'ask',
    answerMessage: (message, answering) => answerMessage(deps, readMessage, message, answering),
    toolsRoute: mcpRoute(deps, () => server.get()),
    memberCommands: { token: (words) => readTokenCommand(deps, words) },
    adminCommands: { tokens: { title: TOKENS_TITLE, run: (_by, opened) => showTokens(deps, opened) } },
    actions: [
      freshReadAction(ACTIONS.renew, 'member', (click) => showNewToken(deps, click)),
      readAction(ACTIONS.off, 'member', (click) => turnOff(deps, click)),
      freshModalAction(ACTIONS.revoke, 'admin', TOKENS_TITLE, (click, opened) => revokeByAdmin(deps, click, opened)),
    ],
    jobs: [
      {
        name: 'forget-question-counts',
        cron: '7 * * * *',
        purpose: 'deletes numbers of questions, and tokens that ended',
        run: async () => {
          await forgetOldCounts(deps);
          await forgetEndedTokens(deps.db, deps.clock.now());
        },
      },
    ],
    stop: () => server.close(),
  };
}
