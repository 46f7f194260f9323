import { answerWithFile } from '../../core/slack/interactions/file-answer.ts';
import { markup } from '../../core/base/text/markup.ts';
import { parseJson } from '../../core/base/text/parse-json.ts';
import { z } from 'zod';
import type { Click, Interaction } from '../../core/slack/interactions/interactions.ts';
import { type OpenModal, sentenceView } from '../../core/slack/blocks/views.ts';
import { splitWords } from '../../core/slack/commands/command-text.ts';
import { oldButtonSentence, plainMessage } from '../../core/slack/blocks/messages.ts';
import type { FreshPerson } from '../../core/slack/people/people.ts';
import { isPlatformError } from '../../core/platform/errors.ts';
import type { Services } from '../../core/services.ts';
import { audit } from '../../core/store/audit.ts';
import type { Transcripts } from './reading.ts';
import { parseSession, wordsOf, type SessionRequest } from './session-command.ts';
import { VIEWED, NOT_FOUND, SAVED, sessionSubject } from './seen.ts';
import { pageMessage, transcriptText, wholeView } from './views.ts';

export type SessionDeps = Pick<
  Services,
  'platform' | 'db' | 'files' | 'clock' | 'log' | 'people' | 'config' | 'network'
>;

type HandlerDeps = SessionDeps & { transcripts: Transcripts };

export const MORE_TITLE = 'Message';

/** Audits the request before anything is read, so that no reading goes unrecorded. */
export async function showSession(
  deps: HandlerDeps,
  request: SessionRequest,
  interaction: Interaction<FreshPerson>,
): Promise<void> {
  await auditView(deps, request, interaction, VIEWED);
  interaction.reply.progress('Reading the session …');
  const transcript = await readUnlessUnknown(deps, request);
  if (!transcript) await auditView(deps, request, interaction, NOT_FOUND);
  await interaction.reply.show(transcript ? pageMessage(transcript, request) : unknownMessage(request));
}

/** An unknown id is a typo, not a fault. */
async function readUnlessUnknown({ transcripts }: HandlerDeps, request: SessionRequest) {
  try {
    return await transcripts.read(request);
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return undefined;
    throw error;
  }
}

function unknownMessage({ sessionId, computerId }: SessionRequest) {
  const where = computerId === undefined ? '' : ` on the computer “${computerId}”`;
  return plainMessage(`The platform knows no session “${sessionId}”${where}. Check the id.`);
}

export async function turnPage(deps: HandlerDeps, click: Click<FreshPerson>): Promise<void> {
  const request = readRequest(click.value);
  return request ? showSession(deps, request, click) : click.reply.add(plainMessage(oldButtonSentence('/session')));
}

const moreSchema = z.object({ words: z.string(), id: z.string() });

export async function showWhole(deps: HandlerDeps, click: Click<FreshPerson>, modal: OpenModal): Promise<void> {
  const moreRequest = moreSchema.safeParse(parseJson(click.value)).data;
  const request = moreRequest && readRequest(moreRequest.words);
  if (!request) return modal.show(sentenceView(MORE_TITLE, oldButtonSentence('/session')));
  await auditView(deps, request, click, VIEWED);
  const { messages } = await deps.transcripts.read(request);
  const one = messages.find(({ id }) => id === moreRequest.id);
  if (!one) return modal.show(sentenceView(MORE_TITLE, 'This message is no longer in the session.'));
  return modal.show(wholeView(MORE_TITLE, one));
}

/** Sends the session as a file, by direct message to the reader. */
export async function saveSession(deps: HandlerDeps, click: Click<FreshPerson>): Promise<void> {
  const request = readRequest(click.value);
  if (!request) return click.reply.add(plainMessage(oldButtonSentence('/session')));
  await auditView(deps, request, click, SAVED);
  const transcript = await deps.transcripts.read(request);
  const name = `session-${request.sessionId.replaceAll(/[^\w-]/g, '_').slice(0, 80)}.txt`;
  const content = transcriptText(transcript, request);
  const comment = markup`What is meant to be seen of the session.`;
  await answerWithFile(deps.files, click, { name, title: name, content, comment });
}

function readRequest(words: string): SessionRequest | undefined {
  const parsed = parseSession(splitWords(words));
  return parsed.kind === 'run' ? parsed.request : undefined;
}

async function auditView(
  { db, clock }: HandlerDeps,
  request: SessionRequest,
  { person }: Pick<Interaction<FreshPerson>, 'person'>,
  action: string,
): Promise<void> {
  const about = sessionSubject(request.sessionId);
  const detail = wordsOf(request);
  await db.transaction().execute((trx) => audit(trx, { about, actor: person.slackId, action, detail }, clock.now()));
}
