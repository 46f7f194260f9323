import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { parseJson, type Json } from '../json.ts';
import type { Clock } from '../clock.ts';
import type { Gallery } from './shot.ts';
import { contentSecurityPolicy, readAsset, readPage, type Asset } from './assets.ts';
import { forwardToPlatform } from './platform-proxy.ts';
import type { TourStep } from './tour-step.ts';
import { readBody, sendJson, sendText } from './http-answers.ts';

export interface PageOptions {
  clock: Clock & { moveTo: (instant: Date) => void | Promise<void> };
  /** The address of the platform's control, e.g. `http://127.0.0.1:4010/_sandbox`; if unset: no platform drawer. */
  platformControlUrl?: string | undefined;
  title: string;
  /** Tells first visitors what they see, in Slack's mrkdwn. */
  introduction?: string;
  /** Suggestions for first visitors, in Slack's mrkdwn. */
  hints?: readonly string[];
  /** Steps that the page takes for a first visitor. */
  tour?: readonly TourStep[];
  /** Asks the simulated assistant as a person, by Slack id, or clicks a button of its answer; if unset: no drawer for it. */
  askSlackbot?: (as: string, asked: string | Json) => Promise<unknown>;
  /** Roles for the app, by handle (`{ morgan: 'manager' }`). These people come first in the list, in this order. */
  roles?: Readonly<Record<string, string>>;
}

const questionSchema = z.strictObject({
  as: z.string().max(50),
  question: z.union([z.string().min(1).max(1_000), z.strictObject({ action_id: z.string(), value: z.string() })]),
});
const moveSchema = z.strictObject({ moveTo: z.iso.datetime({ offset: true }) });

/**
 * Creates the routes of the sandbox's page: the page at `/`, its files, the clock and the platform's controls. The handler
 * returns `false` for other paths, so that it can share a port with other routes.
 *
 * @example
 * startSlack({ extraRoutes: createPageRoutes({ clock, platformControlUrl: `${platform.url}/_sandbox`, title: 'Sandbox' }) })
 */
export function createPageRoutes(
  options: PageOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return routing((path) => findAnswer(path, options));
}

function routing(
  find: (path: string) => Answer | null,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const path = new URL(request.url ?? '/', 'http://sandbox.invalid').pathname;
    const answer = find(path);
    if (answer === null) return false;
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { ok: false, error: 'internal_error', message });
    });
    return true;
  };
}

/** Creates the routes of the gallery: its page at `/`, its files and its shots. */
export function createGalleryRoutes(gallery: Gallery): (request: IncomingMessage, response: ServerResponse) => boolean {
  return routing((path) => {
    if (path === '/')
      return reading(async (response) => sendAsset(response, await readPage('Gallery', 'gallery'), false));
    if (path === '/gallery.json') return reading(async (response) => sendJson(response, 200, gallery));
    return findAsset(path);
  });
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function findAnswer(path: string, options: PageOptions): Answer | null {
  if (path === '/') return reading(async (response) => sendAsset(response, await readPage(options.title), false));
  if (path === '/sandbox/page') {
    return reading(async (response) => sendJson(response, 200, { ok: true, result: settingsOf(options) }));
  }
  if (path === '/sandbox/clock') return (request, response) => answerClock(request, response, options.clock);
  if (path === '/sandbox/slackbot') return (request, response) => answerSlackbot(request, response, options);
  if (path.startsWith('/sandbox/platform/')) {
    return (request, response) => answerPlatform(request, response, path, options.platformControlUrl);
  }
  return findAsset(path);
}

function findAsset(path: string): Answer | null {
  if (!path.startsWith('/assets/') && !path.startsWith('/vendor/')) return null;
  return reading(async (response) => sendAsset(response, await readAsset(path), path.startsWith('/assets/')));
}

function settingsOf({
  title,
  introduction = '',
  hints = [],
  tour = [],
  roles = {},
  platformControlUrl,
  askSlackbot,
}: PageOptions) {
  const has = { hasPlatform: platformControlUrl !== undefined, hasSlackbot: askSlackbot !== undefined };
  return { title, introduction, hints, tour, roles, ...has };
}

function reading(answer: (response: ServerResponse) => Promise<void>): Answer {
  return async (request, response) => {
    if (request.method === 'GET' || request.method === 'HEAD') return answer(response);
    return sendJson(response, 405, { ok: false, error: 'method_not_allowed', message: 'Only GET is answered here' });
  };
}

function sendAsset(response: ServerResponse, asset: Asset | null, isLasting: boolean): void {
  if (asset === null) return sendText(response, 404, 'text/plain; charset=utf-8', 'There is no such file.\n');
  response.setHeader('content-security-policy', contentSecurityPolicy);
  response.setHeader('referrer-policy', 'no-referrer');
  return sendText(response, 200, asset.contentType, asset.body, isLasting);
}

async function answerClock(
  request: IncomingMessage,
  response: ServerResponse,
  clock: PageOptions['clock'],
): Promise<void> {
  if (request.method === 'POST') {
    if (refuseOtherSites(request, response)) return;
    const moveRequest = moveSchema.safeParse(parseJson(await readBody(request)));
    if (!moveRequest.success) {
      const message = 'Send {"moveTo": "2026-03-02T09:00:00Z"}';
      return sendJson(response, 400, { ok: false, error: 'invalid_arguments', message });
    }
    await clock.moveTo(new Date(moveRequest.data.moveTo));
  }
  return sendJson(response, 200, { ok: true, now: clock.now().toISOString() });
}

async function answerSlackbot(
  request: IncomingMessage,
  response: ServerResponse,
  { askSlackbot }: PageOptions,
): Promise<void> {
  if (refuseOtherSites(request, response)) return;
  const question = questionSchema.safeParse(parseJson(await readBody(request)));
  if (!askSlackbot || !question.success) {
    const message = 'Send {"as": "U0MIA", "question": "Will I run out?"}';
    return sendJson(response, 400, { ok: false, error: 'invalid_arguments', message });
  }
  const { as, question: asked } = question.data;
  return sendJson(response, 200, { ok: true, result: await askSlackbot(as, asked) });
}

async function answerPlatform(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  controlUrl: string | undefined,
): Promise<void> {
  if (controlUrl === undefined) {
    return sendJson(response, 404, { ok: false, error: 'no_platform', message: 'The page has no platform' });
  }
  if (request.method !== 'GET' && refuseOtherSites(request, response)) return;
  const search = new URL(request.url ?? '/', 'http://sandbox.invalid').search;
  return forwardToPlatform(request, response, `${controlUrl}/${path.slice('/sandbox/platform/'.length)}${search}`);
}

/**
 * The sandbox has no login, so any website that the visitor has open could send it a form. A JSON body makes the browser send a
 * preflight request first, which the sandbox does not answer; a foreign Origin is refused outright.
 */
function refuseOtherSites(request: IncomingMessage, response: ServerResponse): boolean {
  const origin = request.headers.origin;
  const isOwnPage = origin === undefined || URL.parse(origin)?.host === request.headers.host;
  const isJson = request.headers['content-type']?.startsWith('application/json') ?? request.method === 'DELETE';
  if (isOwnPage && isJson) return false;
  sendJson(response, 403, {
    ok: false,
    error: 'not_allowed',
    message: 'Send JSON from the page itself or from a script',
  });
  return true;
}
