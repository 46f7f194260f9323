import type { z } from 'zod';
import * as acts from './acts.ts';
import { sendEvent } from '../model/app-events.ts';
import type { Sandbox } from '../context.ts';
import { ControlError } from './control-error.ts';
import { controlSchemas, type ControlRequest } from './control-types.ts';
import { click, runCommand } from './interactions.ts';
import { thePerson } from '../model/lookup.ts';
import { close, submit, typeValues } from './modals.ts';
import { takeSnapshot } from '../shapes/present.ts';
import type { SocketTransport } from '../transport/socket-transport.ts';

/** Creates every control action by name, with checked input: the same functions serve tests and the browser page. */
export function createControl(sandbox: Sandbox, socket: SocketTransport | undefined) {
  const bind =
    <Schema extends z.ZodType, Result>(
      schema: Schema,
      run: (sandbox: Sandbox, request: z.output<Schema>) => Result | Promise<Result>,
    ) =>
    async (input: unknown): Promise<Result> =>
      run(sandbox, readInput(schema, input));
  const schemas = controlSchemas;
  return {
    command: bind(schemas.command, runCommand),
    click: bind(schemas.click, click),
    type: bind(schemas.type, typeValues),
    submit: bind(schemas.submit, submit),
    close: bind(schemas.close, close),
    openHome: bind(schemas.openHome, acts.openHome),
    post: bind(schemas.post, acts.post),
    deleteMessage: bind(schemas.deleteMessage, acts.deleteMessage),
    join: bind(schemas.join, acts.join),
    leave: bind(schemas.leave, acts.leave),
    connect: bind(schemas.connect, acts.connect),
    archive: bind(schemas.archive, acts.archive),
    unarchive: bind(schemas.unarchive, acts.unarchive),
    invite: bind(schemas.invite, acts.invite),
    kick: bind(schemas.kick, acts.kick),
    addChannel: bind(schemas.addChannel, acts.addChannel),
    addPerson: bind(schemas.addPerson, acts.addPerson),
    updatePerson: bind(schemas.updatePerson, acts.updatePerson),
    setUserGroup: bind(schemas.setUserGroup, acts.setUserGroup),
    upload: bind(schemas.upload, acts.upload),
    redeliver: bind(schemas.redeliver, ({ gateway }, { deliveryId }) => gateway.redeliver(deliveryId)),
    repeatNext: bind(schemas.repeatNext, (_, { as, arrivals }) => {
      sandbox.gateway.repeatNext(thePerson(sandbox, as).id, arrivals);
      return null;
    }),
    sendEvent: bind(schemas.sendEvent, (_, { event }) => sendEvent(sandbox, event)),
    sendPayload: bind(schemas.sendPayload, ({ gateway }, payload) =>
      gateway.deliver({ ...payload, summary: 'payload' }),
    ),
    addFault: bind(schemas.addFault, ({ faults }, fault) => {
      faults.add(fault);
      return null;
    }),
    clearFaults: bind(schemas.clearFaults, ({ faults }) => {
      faults.clear();
      return null;
    }),
    breakSockets: bind(schemas.breakSockets, (_, fault) => {
      theSocket(socket).break(fault);
      return null;
    }),
    restoreSockets: bind(schemas.restoreSockets, () => {
      theSocket(socket).restore();
      return null;
    }),
    configure: bind(schemas.configure, configure),
    state: bind(schemas.state, (_, { as }) => takeSnapshot(sandbox, thePerson(sandbox, as))),
    traffic: bind(schemas.traffic, ({ traffic }, { limit }) => traffic.latest(limit)),
  };
}

function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new ControlError('invalid_request', faults.join('; '));
}

function theSocket(socket: SocketTransport | undefined): SocketTransport {
  if (socket) return socket;
  throw new ControlError('no_sockets', 'The app is reached over HTTP');
}

function configure({ workspace, log }: Sandbox, request: ControlRequest<'configure'>): null {
  workspace.chartsSupported = request.chartsSupported ?? workspace.chartsSupported;
  workspace.largeTablesSupported = request.largeTablesSupported ?? workspace.largeTablesSupported;
  workspace.realisticRateLimits = request.realisticRateLimits ?? workspace.realisticRateLimits;
  if (request.callsAMinute) workspace.callsAMinute = new Map(Object.entries(request.callsAMinute));
  if (request.scopes) workspace.scopes = new Set(request.scopes);
  if (request.commands) {
    workspace.commands = request.commands.map(({ command, description = '', usageHint = '', shouldEscape = true }) => ({
      command,
      description,
      usageHint,
      shouldEscape,
    }));
  }
  log.add({ kind: 'workspace_changed', what: 'settings' });
  return null;
}
