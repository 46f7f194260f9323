import { LABELS } from '../../../features/limits/core/limit-buttons.ts';
import type { Shot } from '../../page/shot.ts';
import { answerShot, messageIn, modalShot, openStage, viewOf, type ActionEffects, type Stage } from '../stage.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A raise that ends by itself, and a list that is set only in part. */
export async function* limitEndingScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 30, seed: 3, startAt, commandPrefix });
  try {
    yield* raiseScenes(stage, startAt);
    yield* listScenes(stage);
  } finally {
    await stage.stop();
  }
}

async function* raiseScenes(stage: Stage, startAt: Date): AsyncGenerator<Shot> {
  const screen = 'Temporary raise';
  const endsAt = new Date(startAt.getTime() + 3 * DAY_MS);
  const form = await stage.type('mia', '/limits', 'request');
  const answers = {
    'New limit': '8m',
    'Why?': 'The migration of payments, this week only.',
    'Until when?': 'other',
    'End date': String(endsAt.getTime() / 1_000),
    'Limit afterwards': '6m',
  };
  const requestEffects = await submitPastWarning(stage, 'mia', await stage.fill('mia', viewOf(form), answers));
  yield modalShot({ screen, state: 'sent', reader: 'mia' }, requestEffects);
  yield messageIn(
    { screen, state: 'waiting, as admins see it', reader: 'ada' },
    await stage.posted(requestEffects, /"limits_review"/),
  );
  const set = await approve(stage, requestEffects);
  yield messageIn(
    { screen, state: 'set, as the requester sees it', reader: 'mia' },
    await stage.posted(set, /✅ \*Your limit is now/),
  );
  const soon = await stage.passTo(new Date(endsAt.getTime() - HOUR_MS + MINUTE_MS).toISOString());
  yield messageIn(
    { screen, state: 'ends soon', reader: 'mia' },
    await stage.posted(soon, /^(?=.*The temporary raise )(?=.* ends)/s),
  );
  yield answerShot({ screen, state: 'among raises that end soon', reader: 'ada' }, await endingOf(stage));
  const over = await stage.passTo(new Date(endsAt.getTime() + MINUTE_MS).toISOString());
  yield messageIn(
    { screen, state: 'over', reader: 'mia' },
    await stage.posted(over, /^(?=.*temporary raise ended)(?=.*✅)/is),
  );
}

const endingOf = (stage: Stage) => stage.type('ada', '/limits', 'ending');

async function* listScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'Request many limits';
  const form = await stage.type('morgan', '/limits', 'import');
  const lines = [
    'mia.member@acme.example,7m',
    'max.member@acme.example,500',
    'max.member@acme.example,500',
    'somebody.else@acme.example,5m',
    'no address,5m',
    'nora.member@acme.example,1m',
    'nora.member@acme.example,2m',
  ];
  const preview = await stage.fill('morgan', viewOf(form), { 'Paste it': lines.join('\n') });
  yield modalShot({ screen, state: 'preview', reader: 'morgan' }, preview);
  const requestEffects = await stage.fill('morgan', viewOf(preview), { 'Why?': 'The new team starts on Monday.' });
  yield modalShot({ screen, state: 'asked for', reader: 'morgan' }, requestEffects);
  const label = { screen: 'Request for many', reader: 'ada' };
  yield messageIn({ ...label, state: 'waiting' }, await stage.posted(requestEffects, /"limits_review"/));
  const set = await approve(stage, requestEffects);
  yield modalShot({ ...label, state: 'approved' }, set);
  yield messageIn(
    { ...label, state: 'set in part' },
    await stage.posted(set, /^(?=.*from a list)(?=.*⚠️ \*(?:Partly|Not) set)/s),
  );
  yield messageIn(
    { ...label, state: 'set in part, as the requester sees it', reader: 'morgan' },
    await stage.posted(set, /Your request `\w+`: ⚠️/),
  );
}

/** Submits an unusual request a second time, after its warning. */
async function submitPastWarning(stage: Stage, as: string, answered: ActionEffects): Promise<ActionEffects> {
  const needsConfirmation = JSON.stringify(answered.modal?.view).includes('Check before you send');
  return needsConfirmation ? stage.fill(as, viewOf(answered), {}) : answered;
}

/** Approves a request as Ada, an admin. */
async function approve(stage: Stage, requestEffects: ActionEffects): Promise<ActionEffects> {
  const review = await stage.press('ada', await stage.posted(requestEffects, /"limits_review"/), LABELS.review, 'dm');
  const decided = await stage.fill('ada', viewOf(review), {});
  await stage.closeModals('ada');
  return decided;
}
