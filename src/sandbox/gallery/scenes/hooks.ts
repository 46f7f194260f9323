import type { Shot } from '../../page/shot.ts';
import { LABELS } from '../../../features/limits/core/limit-buttons.ts';
import type { MessageView } from '../../slack/people/control-types.ts';
import { answerShot, messageIn, modalShot, openStage, viewOf, type Stage } from '../stage.ts';

const READER = 'mia';
const labelOf = (screen: string, state: string) => ({ screen, state, reader: READER });
/** Half past ten in the evening for the reader. */
const EVENING = '2026-11-25T03:30:00Z';
const HALF_AN_HOUR_MS = 30 * 60_000;
const STEP_MS = 1_000;

/** The messages about one's own agent. */
export async function* hookScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 5, seed: 1, startAt, commandPrefix });
  try {
    yield* commandScenes(stage);
  } finally {
    await stage.stop();
  }
}

async function* commandScenes(stage: Stage): AsyncGenerator<Shot> {
  const ask = async (state: string, text: string) =>
    answerShot(labelOf('/session notify', state), await stage.type(READER, '/session', text));
  yield ask('status, before', 'notify status');
  const begun = await stage.type(READER, '/session', 'notify');
  yield answerShot(labelOf('/session notify', 'the text to paste'), begun);
  if (begun.answer) {
    yield modalShot(labelOf('/session notify', 'details'), await stage.press(READER, begun.answer, 'Details'));
    await stage.closeModals(READER);
  }
  const token = await exchange(stage, /qms_[\w-]{32}/.exec(begun.answer?.text ?? '')?.[0] ?? '');
  yield ask('status', 'notify status');
  yield ask('a typing mistake', 'notify statsu');
  yield* cardScenes(stage, token);
  yield ask('a test', 'notify test');
  yield answerShot(labelOf('/session', 'mine'), await stage.type(READER, '/session', 'mine'));
  yield ask('quiet hours', 'notify quiet 22:00-07:00');
  yield ask('invalid quiet hours', 'notify quiet 22-7');
  stage.clock.moveTo(new Date(EVENING));
  await send(stage, token, { hook_event_name: 'Notification', session_id: 'ses_night', message: 'Which of the two?' });
  await send(stage, token, {
    hook_event_name: 'SessionEnd',
    session_id: 'ses_late',
    reason: 'error',
    cwd: '/work/api',
  });
  const night = { since: stage.slack.mark() };
  yield messageIn(
    labelOf('Agent card', 'the morning after'),
    await stage.passUntil(night, /While it was quiet: 2/, HALF_AN_HOUR_MS),
  );
  yield ask('off', 'notify off');
}

async function exchange({ hooksUrl }: Stage, code: string): Promise<string> {
  const answer = await fetch(`${hooksUrl}/hooks/v1`, { method: 'POST', headers: { authorization: `Bearer ${code}` } });
  return answer.text();
}

async function send({ hooksUrl }: Stage, token: string, event: Record<string, string>): Promise<void> {
  const answer = await fetch(`${hooksUrl}/hooks/v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ cwd: '/home/mia/payments', ...event }),
  });
  if (answer.status !== 204) throw new Error(`The event was answered with ${answer.status}`);
}

async function* cardScenes(stage: Stage, token: string): AsyncGenerator<Shot> {
  const [session = ''] = stage.platform.sessionIds;
  const since = { since: stage.slack.mark() };
  const sendEvent = (event: Record<string, string>) => send(stage, token, { session_id: session, ...event });
  const card = async (state: string, fits: RegExp) =>
    messageIn(labelOf('Agent card', state), await stage.passUntil(since, fits, STEP_MS));
  await sendEvent({ hook_event_name: 'PostToolUse' });
  await sendEvent({ hook_event_name: 'Notification', message: 'May I run the migration of the payments database?' });
  const waiting = await stage.posted(since, /Waits for you/);
  yield messageIn(labelOf('Agent card', 'waits'), waiting);
  yield modalShot(labelOf('Last answer', 'open'), await stage.press(READER, waiting, 'Last answer', 'dm'));
  await stage.closeModals(READER);
  await sendEvent({ hook_event_name: 'PostToolUse' });
  yield card('works', /\*Works\*/);
  await sendEvent({ hook_event_name: 'Stop' });
  yield card('finished', /\*Finished\*/);
  await sendEvent({ hook_event_name: 'SessionEnd', reason: 'other' });
  yield card('finished and closed', /Finished and closed/);
  await sendEvent({ hook_event_name: 'SessionEnd', session_id: 'ses_broken', reason: 'error' });
  yield card('ended with an error', /Ended with an error/);
  yield* blockedScenes(stage, await stage.posted(since, /Ended with an error/));
  const edited = await stage.posted(since, /Finished and closed/);
  await stage.press(READER, edited, 'Mute this session', 'dm');
  yield card('muted', /\*Muted\*/);
}

/** The limit was the reason: the card leads to the request, and says when the agent can go on. */
async function* blockedScenes(stage: Stage, ended: MessageView): AsyncGenerator<Shot> {
  const form = await stage.press(READER, ended, 'I hit my limit', 'dm');
  const sent = await stage.fill(READER, viewOf(form), { 'New limit': '9m' });
  const isUnusual = JSON.stringify(sent.modal?.view).includes('Check before you send');
  const done = isUnusual ? await stage.fill(READER, viewOf(sent), {}) : sent;
  await stage.closeModals(READER);
  yield messageIn(labelOf('Agent card', 'waits for a limit'), await stage.posted(done, /You requested a higher limit/));
  const review = await stage.press('ada', await stage.posted(done, /"limits_review"/, '#ada'), LABELS.review, 'dm');
  const set = await stage.fill('ada', viewOf(review), {});
  await stage.closeModals('ada');
  yield messageIn(labelOf('Agent card', 'the limit is set'), await stage.posted(set, /run again/));
}
