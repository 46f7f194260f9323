import type { MessageView } from '../../slack/people/control-types.ts';
import type { Shot } from '../../page/shot.ts';
import { answerShot, postedShot, type Stage } from '../stage.ts';

/** The enterprise controls: commands and notices. */
export async function* controlScenes(stage: Stage): AsyncGenerator<Shot> {
  const ask = async (state: string, reader: string, text: string) =>
    answerShot({ screen: '/controls', state, reader }, await stage.type(reader, '/controls', text));
  yield ask('latest', 'morgan', '');
  yield ask('history', 'morgan', 'history');
  yield ask('one revision', 'morgan', 'show 11');
  yield ask('two revisions', 'morgan', 'diff 9 11');
  yield ask('two revisions in the wrong order', 'morgan', 'diff 9');
  yield ask('an unknown revision', 'morgan', 'show 99');
  yield ask('help', 'morgan', 'help');
  yield ask('asked by a member', 'mia', '');
  yield ask('a watch, requested by a manager', 'morgan', 'watch #general');
  yield ask('a watch of a channel', 'ada', 'watch #general');
  yield ask('a watch of what weakens security', 'ada', 'watch #general weaker');
  yield ask('a watch of what strengthens security', 'ada', 'watch #general stronger');
  yield ask('a former watch', 'ada', 'unwatch #general');
  let notice: MessageView | undefined;
  for (const [state, change] of CHANGES) {
    const noticeEffects = await stage.after('morgan', async () => {
      stage.platform.addRevision(change);
    });
    yield postedShot(stage, { screen: 'Revision', state, reader: '#platform' }, noticeEffects);
    notice = await stage.posted(noticeEffects, /Acknowledge/, '#platform');
  }
  if (!notice) return;
  const acknowledgementEffects = await stage.press('morgan', notice, 'Acknowledge', 'platform');
  yield answerShot(
    { screen: 'Revision', state: 'acknowledged, as the clicker sees it', reader: 'morgan' },
    acknowledgementEffects,
  );
  yield postedShot(
    stage,
    { screen: 'Revision', state: 'acknowledged', reader: '#platform' },
    acknowledgementEffects,
    /Acknowledged by/,
  );
  const unreadableEffects = await stage.after('morgan', async () => {
    const { revision } = stage.platform.addRevision({ settings: { cloudSessionSync: false } });
    stage.platform.showInstead(revision, { revision, settings: null });
  });
  yield postedShot(stage, { screen: 'Revision', state: 'can’t be read', reader: '#platform' }, unreadableEffects);
  yield ask('history with a revision that can’t be read', 'morgan', 'history');
}

const CHANGES = [
  ['weakens something', { settings: { sandbox: { enabled: false } } }],
  ['another one soon after', { settings: { sandbox: { enabled: true } } }],
] as const;
