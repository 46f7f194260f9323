import { fetch } from 'undici';
import { HOOKS_PATH } from '../../../../core/http/hooks-address.ts';
import { markup, type Markup } from '../../../../core/base/text/markup.ts';
import { plainMessage } from '../../../../core/slack/blocks/messages.ts';
import { sentenceView, type OpenModal } from '../../../../core/slack/blocks/views.ts';
import type { Click, Interaction } from '../../../../core/slack/interactions/interactions.ts';
import type { FreshPerson, Person } from '../../../../core/slack/people/people.ts';
import { audit } from '../../../../core/store/audit.ts';
import type { HookDeps } from '../core/hooks-deps.ts';
import type { QuietHours } from '../core/quiet.ts';
import { countHookSessions, listHookSessions, setMuted } from '../core/sessions.ts';
import type { HookTransaction } from '../core/session-tables.ts';
import { findInbox, hashOf, makeTestToken, renewSetupCode, revokeTokens } from '../core/tokens.ts';
import { announce } from '../inbox/record.ts';
import type { NotifyRequest } from './parse.ts';
import {
  DETAILS_TITLE,
  detailsView,
  NOT_HERE,
  NOT_ON,
  quietMessage,
  snippetMessage,
  statusMessage,
  TURNED_OFF,
} from './views.ts';

type By = Interaction<FreshPerson>;

/** `/session notify`: affects only the person who types it. */
export async function runNotify(deps: HookDeps, request: NotifyRequest, by: By): Promise<void> {
  if (!deps.config.hooks) return by.reply.show(NOT_HERE);
  if (request.kind === 'open' && !(await findInbox(deps.db, by.person.slackId, deps.clock.now())))
    return showNewCode(deps, by);
  switch (request.kind) {
    case 'open':
    case 'status':
      return showStatus(deps, by);
    case 'off':
      return by.reply.show((await turnOff(deps, by.person)) ? TURNED_OFF : NOT_ON);
    case 'test':
      return runTest(deps, by);
    case 'quiet':
      return setQuiet(deps, request.hours, by);
    default:
      return request satisfies never;
  }
}

/** Creates a setup code, which revokes earlier tokens, and shows it only now. */
export async function showNewCode(deps: HookDeps, { person, reply }: By): Promise<void> {
  const { hooks } = deps.config;
  if (!hooks) return reply.show(NOT_HERE);
  const now = deps.clock.now();
  const code = await deps.db.transaction().execute(async (trx) => {
    await auditHooks(trx, person, 'made a token', now);
    return renewSetupCode(trx, person.slackId, now);
  });
  await reply.show(snippetMessage({ url: hooks.url, code }));
}

/** *Details* below the snippet. */
export async function showDetails({ config: { hooks } }: HookDeps, modal: OpenModal): Promise<void> {
  await modal.show(hooks ? detailsView(hooks.url) : sentenceView(DETAILS_TITLE, NOT_HERE.text));
}

async function showStatus({ db, clock, config }: HookDeps, { person, reply }: By): Promise<void> {
  const inbox = await findInbox(db, person.slackId, clock.now());
  if (!inbox) return reply.show(NOT_ON);
  const [[newest], sessions] = await Promise.all([
    listHookSessions(db, person.slackId, 1),
    countHookSessions(db, person.slackId),
  ]);
  const keptDays = config.retentionDays.sessions;
  await reply.show(statusMessage({ inbox, newest, sessions, timeZone: person.timeZone, keptDays }));
}

export async function turnOffByButton(deps: HookDeps, { person, reply }: Click): Promise<void> {
  await reply.add((await turnOff(deps, person)) ? TURNED_OFF : NOT_ON);
}

async function turnOff({ db, clock }: HookDeps, person: Person): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await revokeTokens(trx, person.slackId))) return false;
    await auditHooks(trx, person, 'turned off', clock.now());
    return true;
  });
}

async function auditHooks(trx: HookTransaction, { slackId }: Person, action: string, now: Date): Promise<void> {
  await audit(trx, { about: `hooks:${slackId}`, actor: slackId, action, detail: null }, now);
}

export async function runTest(deps: HookDeps, { person, reply }: Pick<Interaction, 'person' | 'reply'>): Promise<void> {
  const { hooks } = deps.config;
  if (!hooks) return reply.show(NOT_HERE);
  if (!(await findInbox(deps.db, person.slackId, deps.clock.now()))) return reply.add(NOT_ON);
  await reply.add(plainMessage(await sendTest(deps, hooks.url, person.slackId)));
}

const TEST_TIMEOUT_MS = 5_000;

/** Sends an event as a client would: to the address in the settings, with a token that works only for this test. */
async function sendTest({ db, clock, log, network }: HookDeps, url: string, owner: string): Promise<Markup> {
  const now = clock.now();
  const token = await makeTestToken(db, owner, now);
  const event = {
    hook_event_name: 'Notification',
    session_id: `test-${now.toISOString()}`,
    cwd: '/test',
    message: 'This is a test. When your agent waits for you, its question is here.',
  };
  try {
    const answer = await fetch(`${url}${HOOKS_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
      redirect: 'manual',
      dispatcher: network.agent,
      signal: AbortSignal.timeout(TEST_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return answer.status === 204
      ? markup`✅ *Sent to ${url}.* A card comes by direct message; in quiet hours, when they end.`
      : markup`❌ *${url} answered with status ${answer.status}*, so it doesn’t lead to Quartermaster. Ask the server operator to check HOOKS_URL.`;
  } catch (error) {
    log.warn({ err: error }, 'HOOKS_URL does not answer the bot itself');
    return markup`❌ *${url} doesn’t answer Quartermaster itself.* Your computer may still reach it; if not, ask the server operator to check HOOKS_URL.`;
  } finally {
    await db.deleteFrom('hookTokens').where('tokenHash', '=', hashOf(token)).execute();
  }
}

async function setQuiet({ db }: HookDeps, hours: QuietHours | undefined, { person, reply }: By): Promise<void> {
  const updated = await db
    .updateTable('hookInboxes')
    .set({ quietFrom: hours?.from ?? null, quietUntil: hours?.until ?? null })
    .where('owner', '=', person.slackId)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return reply.show(NOT_ON);
  await reply.show(quietMessage(hours, person.timeZone));
}

const NOTHING_TO_MUTE = 'Nothing changed: it was already done, or Quartermaster no longer knows this session.';

/** *Mute this session* and *Unmute*; the edited card is the answer. */
export async function muteByButton(deps: HookDeps, { person, value, reply }: Click, isMuted: boolean): Promise<void> {
  const now = deps.clock.now();
  const changed = await deps.db.transaction().execute(async (trx) => {
    const session = await setMuted(trx, { id: value, owner: person.slackId, isMuted }, now);
    if (session) await announce(trx, session, now);
    return session;
  });
  if (!changed) await reply.add(plainMessage(NOTHING_TO_MUTE));
}
