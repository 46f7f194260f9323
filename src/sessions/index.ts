import type { Feature } from '../feature.ts';
import type { Config } from '../base/config.ts';
import { MORE_TITLE, saveSession, showSession, showWhole, turnPage, type SessionDeps } from './handlers.ts';
import { listSessions } from './list.ts';
import { createTranscripts } from './reading.ts';
import { parseSession, SESSION_HELP } from './request.ts';
import { MORE_ACTION, PAGE_ACTION, SAVE_ACTION } from './views.ts';

/**
 * `/session`: what was said in a session.
 */
export function createSessionsFeature(deps: SessionDeps & { config: Pick<Config, 'sessionsRole'> }): Feature {
  const whole = { ...deps, transcripts: createTranscripts(deps) };
  const role = deps.config.sessionsRole;
  return {
    name: 'sessions',
    commands: [
      {
        help: SESSION_HELP,
        role,
        read: (words) => {
          if (words.length === 0)
            return { kind: 'run', isRoleFresh: true, run: (interaction) => listSessions(deps, interaction) };
          const parsed = parseSession(words);
          if (parsed.kind !== 'run') return parsed;
          return {
            kind: 'run',
            isRoleFresh: true,
            run: (interaction) => showSession(whole, parsed.request, interaction),
          };
        },
      },
    ],
    actions: [
      { actionId: PAGE_ACTION, role, isRoleFresh: true, run: (click) => turnPage(whole, click) },
      { actionId: SAVE_ACTION, role, isRoleFresh: true, run: (click) => saveSession(whole, click) },
      {
        actionId: MORE_ACTION,
        role,
        isRoleFresh: true,
        modalTitle: MORE_TITLE,
        runInModal: (click, modal) => showWhole(whole, click, modal),
      },
    ],
  };
}
