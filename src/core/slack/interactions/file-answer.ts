import { plainMessage } from '../blocks/messages.ts';
import type { Interaction } from './interactions.ts';
import type { Files, NewFile } from '../outbound/files.ts';

/** Replies that the file is in the direct messages. */
export async function answerWithFile(
  files: Pick<Files, 'send'>,
  { person, reply }: Pick<Interaction, 'person' | 'reply'>,
  file: Omit<NewFile, 'to'>,
): Promise<void> {
  await files.send({ ...file, to: { person } });
  await reply.add(plainMessage(`${file.name} is in your direct messages with Quartermaster.`));
}
