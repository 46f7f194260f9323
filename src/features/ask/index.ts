import type { AnswerMessage, OfferMeanings, ReadCommand } from '../../core/slack/interactions/interactions.ts';
import { freshReadAction, readAction, freshModalAction } from '../../core/slack/interactions/click-actions.ts';
import type { Feature } from '../../core/feature.ts';
import type { Route } from '../../core/http/server.ts';
import type { Database } from '../../core/store/tables.ts';
import type { AskDeps, ToolDeps } from './ask-deps.ts';
import { withAsk } from './ask-tables.ts';
import { answerMessage, offerMeanings } from './messages/answer-message.ts';
import { mcpRoute } from './mcp/mcp-route.ts';
import { loadedServer } from './mcp/loaded-server.ts';
import { createMcpServer } from './mcp/mcp-server.ts';
import { forgetOldCounts } from './question-limits.ts';
import { readTokenCommand, revokeByAdmin, showNewToken, showTokens, turnOff } from './tokens/token-handlers.ts';
import { findToken, forgetEndedTokens } from './tokens/token-store.ts';
import { createReadMessage } from './words/read-message.ts';
import { markup } from '../../core/base/text/markup.ts';
import { ACTIONS, lineOf, revokeButton, TOKENS_TITLE } from './tokens/token-views.ts';

interface Ask {
  feature: Feature;
  /** Answers a message in words. */
  answerMessage: AnswerMessage;
  offerMeanings: OfferMeanings;
  /** Reads the words after `/quartermaster token`. */
  readTokenCommand: (words: readonly string[]) => ReadCommand;
}

/** Answers questions of people that come by other ways than slash commands. */
export function createAsk(services: Omit<AskDeps, 'db'> & { db: Database }): Ask {
  const deps: AskDeps = { ...services, db: withAsk(services.db) };
  const readMessage = createReadMessage(deps.people);
  const feature: Feature = {
    name: 'ask',
    adminCommands: { tokens: { title: TOKENS_TITLE, run: (_by, opened) => showTokens(deps, opened) } },
    belongingsOf: async ({ slackId }) => {
      const token = slackId === undefined ? undefined : await findToken(deps.db, slackId, deps.clock.now());
      return token
        ? [{ lines: [markup`Token of a coding client: ${lineOf(token)}`], buttons: [revokeButton(token.owner)] }]
        : [];
    },
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
  };
  return {
    feature,
    answerMessage: (message, answering) => answerMessage(deps, readMessage, message, answering),
    offerMeanings: (...typed) => offerMeanings(deps, readMessage, ...typed),
    readTokenCommand: (words) => readTokenCommand(deps, words),
  };
}

export interface Tools {
  route: Route;
  stop: () => Promise<void>;
}

/** Serves the tools of the Model Context Protocol, which ask the commands of all features. */
export function createTools(services: Omit<ToolDeps, 'db'> & { db: Database }): Tools {
  const deps: ToolDeps = { ...services, db: withAsk(services.db) };
  const server = loadedServer(() => createMcpServer(deps));
  return { route: mcpRoute(deps, () => server.get()), stop: () => server.close() };
}
