import type { IncomingMessage, ServerResponse } from 'node:http';
import { batched } from '../../../../core/base/batched.ts';
import { createBodyReader } from '../../../../core/http/body.ts';
import { HOOKS_PATH, UNKNOWN_TOKEN } from '../../../../core/http/hooks-address.ts';
import { HttpRefusal } from '../../../../core/http/refusal.ts';
import type { Route } from '../../../../core/http/server.ts';
import { audit } from '../../../../core/store/audit.ts';
import type { HookDeps } from '../core/hooks-deps.ts';
import { readEvent, type EventKind, type HookEvent } from '../core/event.ts';
import { exchangeCode, hashOf, ownersOf, SETUP_CODE, TOKEN } from '../core/tokens.ts';
import { COUNTED_A_MINUTE, createRate } from './rate.ts';
import { createRecorder } from './record.ts';

const MAX_BODY_BYTES = 65_536;
/** For all bodies that are still arriving. */
const MAX_PENDING_BYTES = 4_194_304;
const MAX_HEADER_LENGTH = 200;
const LOOKING_UP = { maxItems: 50, quietMs: 0, maxWaitMs: 0 };

const COUNTED: ReadonlySet<EventKind> = new Set(['tool', 'subagent', 'other']);

const TOO_MANY = new HttpRefusal(429, 'These are too many events of one token. Try again in a minute.');

/**
 * `POST /hooks/v1`: an event of a client. 204 means that the event and its message are stored; any other status means
 * that they are not. The token and its rate are checked before the body is read. With a setup code instead of a token, the
 * answer is a token.
 */
export function hooksRoute(deps: Pick<HookDeps, 'db' | 'clock' | 'log'>): Route {
  const bodies = createBodyReader({ maxBytes: MAX_BODY_BYTES, maxPendingBytes: MAX_PENDING_BYTES });
  const rate = createRate();
  const record = createRecorder(deps);
  const ownerOf = batched(async (hashes: readonly string[]): Promise<readonly string[]> => {
    const owners = await ownersOf(deps.db, hashes, deps.clock.now());
    return hashes.map((hash) => owners.get(hash) ?? '');
  }, LOOKING_UP);
  const stored = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      deps.log.debug({ err: error }, 'Did not store an event of a client');
      throw new HttpRefusal(503, 'The event could not be stored.');
    }
  };
  const nowMs = () => deps.clock.now().getTime();
  return {
    path: HOOKS_PATH,
    methods: ['POST'],
    handle: async (request: IncomingMessage, response: ServerResponse) => {
      const codeHash = hashOfBearer(request, SETUP_CODE);
      if (codeHash !== undefined) return sendToken(response, await stored(exchange(deps, codeHash)));
      const hash = hashOfBearer(request, TOKEN);
      const owner = hash === undefined ? '' : await stored(ownerOf(hash));
      if (hash === undefined || owner === '') throw new HttpRefusal(401, UNKNOWN_TOKEN);
      if (rate.isFull(hash, nowMs())) throw tooMany(response);
      const event = readEvent((await bodies.read(request)).toString('utf8'));
      if (!rate.take(hash, nowMs(), mostOf(event))) throw tooMany(response);
      if (!event) throw new HttpRefusal(400, 'This is no event of a client.');
      await stored(record({ owner, event, at: deps.clock.now().toISOString() }));
      response.writeHead(204).end();
    },
  };
}

function mostOf(event: HookEvent | undefined): number | undefined {
  return !event || COUNTED.has(event.kind) ? COUNTED_A_MINUTE : undefined;
}

function tooMany(response: ServerResponse): HttpRefusal {
  response.setHeader('retry-after', '60');
  return TOO_MANY;
}

async function exchange({ db, clock }: Pick<HookDeps, 'db' | 'clock'>, codeHash: string): Promise<string> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const exchanged = await exchangeCode(trx, codeHash, now);
    if (!exchanged) return '';
    const { owner, token } = exchanged;
    await audit(trx, { about: `hooks:${owner}`, actor: owner, action: 'connected a client', detail: null }, now);
    return token;
  });
}

function sendToken(response: ServerResponse, token: string): void {
  if (token === '') throw new HttpRefusal(401, UNKNOWN_TOKEN);
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(token);
}

function hashOfBearer({ headers: { authorization = '' } }: IncomingMessage, form: RegExp): string | undefined {
  if (authorization.length > MAX_HEADER_LENGTH) return undefined;
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
  return form.test(token) ? hashOf(token) : undefined;
}
