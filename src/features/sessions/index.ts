import type { Feature } from '../../core/feature.ts';
import { freshReadAction, freshModalAction } from '../../core/slack/interactions/click-actions.ts';
import type { RoleDenial } from '../../core/slack/blocks/messages.ts';
import { changeFor, question } from '../../core/slack/interactions/verbs.ts';
import type { ReadCommand } from '../../core/slack/interactions/interactions.ts';
import { MORE_TITLE, saveSession, showSession, showWhole, turnPage, type SessionDeps } from './session-handlers.ts';
import { withHooks } from './hooks/core/session-tables.ts';
import type { HookCardDeps } from './hooks/core/hooks-deps.ts';
import { hooksParts, readNotify } from './hooks/index.ts';
import { hooksRoute } from './hooks/inbox/route.ts';
import type { Route } from '../../core/http/server.ts';
import { listSessions } from './session-list.ts';
import { listMine } from './mine.ts';
import { createTranscripts } from './reading.ts';
import { parseSession, sessionHelp } from './session-command.ts';
import { MORE_ACTION, PAGE_ACTION, SAVE_ACTION } from './views.ts';

/** Receives the events of people's own agents. */
export const createHooksRoute = (deps: SessionDeps): Route => hooksRoute({ ...deps, db: withHooks(deps.db) });

export function createSessionsFeature(deps: SessionDeps & Pick<HookCardDeps, 'limits'>): Feature {
  const fullDeps = { ...deps, transcripts: createTranscripts(deps) };
  const hooks = { ...deps, db: withHooks(deps.db) };
  const role = deps.config.sessionsRole;
  const parts = hooksParts(hooks);
  const readers: RoleDenial = {
    what: 'Reading sessions',
    role,
    or: 'for your own agent type /session notify or /session mine',
  };
  const readSession = (words: readonly string[]): ReadCommand => {
    if (words.length === 0) return changeFor(readers, (by) => listSessions(deps, by));
    const parsed = parseSession(words);
    return parsed.kind === 'run' ? changeFor(readers, (by) => showSession(fullDeps, parsed.request, by)) : parsed;
  };
  return {
    ...parts,
    name: 'sessions',
    commands: [
      {
        help: sessionHelp(role),
        // Everyone may follow their own agent; the role for reading is checked in each command.
        role: 'member',
        read: (words) => {
          const [first = '', ...rest] = words;
          const word = first.toLowerCase();
          if (word === 'notify') return readNotify(hooks, rest);
          if (word !== 'mine' || rest.length > 0) return readSession(words);
          const keptDays = deps.config.retentionDays.sessions;
          return question((by) => listMine({ db: hooks.db, role, keptDays }, by));
        },
      },
    ],
    actions: [
      ...parts.actions,
      freshReadAction(PAGE_ACTION, role, (click) => turnPage(fullDeps, click)),
      freshReadAction(SAVE_ACTION, role, (click) => saveSession(fullDeps, click)),
      freshModalAction(MORE_ACTION, role, MORE_TITLE, (click, modal) => showWhole(fullDeps, click, modal)),
    ],
  };
}
