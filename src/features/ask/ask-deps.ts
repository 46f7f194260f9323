import type { Services } from '../../core/services.ts';
import type { AskQuestion } from '../../core/slack/interactions/question.ts';
import type { SignedBodyDeps } from '../../core/slack/receivers/signed-body.ts';
import type { InWorkspaceNames } from '../../core/slack/client/clients.ts';
import type { AskDatabase } from './ask-tables.ts';

export type AskDeps = Pick<Services, 'config' | 'clock' | 'log' | 'people' | 'channels'> & { db: AskDatabase };

export type ToolDeps = AskDeps & {
  /** Answers like the slash command; `name` is for the metrics. */
  ask: (question: Parameters<AskQuestion>[0] & { name: string }) => Promise<string>;
  /** Everything that leaves passes it: it removes erased people, and knows the prefix of commands. */
  inWorkspaceNames: InWorkspaceNames;
  teamId: string;
  /** Undefined if calls of Slackbot are off. */
  signature: SignedBodyDeps | undefined;
};
