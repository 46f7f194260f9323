import type { MessageView } from '../../slack/people/control-types.ts';
import type { Shot } from '../../page/shot.ts';
import { answerShot, messageIn, modalShot, openStage, type Stage } from '../stage.ts';

const READER = 'mia';
const labelOf = (state: string, reader = READER) => ({ screen: '/quartermaster token', state, reader });

/** The personal tokens of coding clients. */
export async function* toolScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 5, seed: 1, startAt, commandPrefix });
  try {
    yield answerShot(labelOf('the token'), await stage.type(READER, '/quartermaster', 'token'));
    yield answerShot(labelOf('later'), await stage.type(READER, '/quartermaster', 'token'));
    yield modalShot(labelOf('the list of an admin', 'ada'), await stage.type('ada', '/quartermaster', 'tokens'));
    await stage.closeModals('ada');
    yield answerShot(labelOf('off'), await stage.type(READER, '/quartermaster', 'token off'));
    yield answerShot(labelOf('off twice'), await stage.type(READER, '/quartermaster', 'token off'));
  } finally {
    await stage.stop();
  }
}

/** Messages in words, and their answers. */
export async function* wordScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 25, seed: 1, startAt, commandPrefix });
  try {
    const ask = async (state: string, as: string, text: string) =>
      messageIn({ screen: 'A message in words', state, reader: as }, await answerTo(stage, as, text));
    yield ask('answered', 'mia', 'how much did I use last week?');
    yield ask('several meanings', 'mia', 'my credits on 10/11');
    yield ask('not understood', 'mia', 'combien de crédits il me reste ?');
    yield ask('to a manager, not understood', 'morgan', 'what is the weather?');
    yield ask('a change', 'mia', 'raise my limit to 5 m');
    yield ask('a change without a form', 'morgan', 'please pause digest 3');
    yield ask('refused', 'mia', 'who used the most last week?');
  } finally {
    await stage.stop();
  }
}

async function answerTo(stage: Stage, as: string, text: string): Promise<MessageView> {
  const effects = await stage.after(as, () => stage.slack.control.post({ as, channel: 'dm', text }));
  const answer = effects.messages.findLast(({ message }) => message.author === 'U0QUARTERMASTER');
  if (!answer) throw new Error(`“${text}” got no answer`);
  return answer.message;
}
