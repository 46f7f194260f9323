import { z } from 'zod';
import { label, longText } from '../bounded-text.ts';
import { checkArgument } from '../arguments.ts';
import { isPlatformError } from '../errors.ts';
import type { CallOptions, Send } from '../transport/request.ts';

const LIST_PATH = '/api/v0/computers';
const ONE_PATH = '/api/v0/computers/{computerId}';
const INSTALL_PATH = '/api/v0/computers/{computerId}/install-deps';

const provisioningStep = z.looseObject({
  id: label.nullish(),
  name: label.nullish(),
  /** The document does not list its values. */
  status: label.nullish(),
  error: longText.nullish(),
  installSessionId: label.nullish(),
  startedAt: z.number().nullish(),
  completedAt: z.number().nullish(),
});

const computer = z.looseObject({
  id: z.string().min(1).max(500),
  name: label,
  /** `byom` or `hosted`, or a later addition. */
  providerType: label,
  createdAt: z.number(),
  hostId: label.nullish(),
  hostname: label.nullish(),
  /** `provisioning`, `active` or `error`, or a later addition. */
  status: label.nullish(),
  provisioningSteps: z
    .array(provisioningStep)
    .nullish()
    .transform((steps) => steps ?? []),
  relayClientUrl: label.nullish(),
  relayAgentUrl: label.nullish(),
  remoteUser: label.nullish(),
});
export type Computer = z.infer<typeof computer>;

/** A list may come without steps, which single computers have. */
const computerList = z.looseObject({
  computers: z.array(computer.extend({ provisioningSteps: z.array(provisioningStep).nullish() })),
});
type ComputerList = z.infer<typeof computerList>;

const lacksSteps = ({ computers }: ComputerList): boolean =>
  computers.some(({ provisioningSteps, providerType }) => !provisioningSteps && providerType !== 'byom');

const withAllSteps = ({ computers }: ComputerList): Computer[] =>
  computers.map((one) => ({ ...one, provisioningSteps: one.provisioningSteps ?? [] }));

/** Limits of the create body (API document: "Limits"). */
export const COMPUTER_LIMITS = { nameLength: 63, remoteUserLength: 63, repos: 20, repoLength: 2_048 } as const;

export const newComputer = z.strictObject({
  name: z.string().min(1).max(COMPUTER_LIMITS.nameLength),
  remoteUser: z.string().min(1).max(COMPUTER_LIMITS.remoteUserLength),
  /** `byom`, or the name of the platform’s own machines: `hosted` in the contract, `e2b` today. */
  provider: z.string().min(1).max(63).optional(),
  hostId: z.uuid().optional(),
  repos: z.array(z.url().max(COMPUTER_LIMITS.repoLength)).max(COMPUTER_LIMITS.repos).optional(),
  autoInstallDeps: z.boolean().optional(),
});
export type NewComputer = z.infer<typeof newComputer>;

/** Every method throws PlatformError; check its `outcomeUnknown` after `create` and `installDeps`. */
export interface Computers {
  list(options?: CallOptions): Promise<Computer[]>;
  get(computerId: string, options?: CallOptions): Promise<Computer>;
  /** Sent once, never repeated: after an unknown outcome, read the list. */
  create(body: NewComputer, options?: CallOptions): Promise<Computer>;
  /** Sent once, never repeated. */
  installDeps(computerId: string, options?: CallOptions): Promise<Computer>;
}

export function createComputers(send: Send): Computers {
  // The contract has no such parameter, so it is sent only where it was seen to help.
  let requestsSteps: boolean | undefined;
  const readList = (isRequested: boolean, options: CallOptions | undefined) => {
    const query = isRequested ? { includeProvisioningSteps: 'true' } : {};
    const isTrial = isRequested && requestsSteps === undefined;
    return send({ method: 'GET', host: 'base', path: LIST_PATH, query, schema: computerList, isTrial }, options);
  };
  const readWithSteps = async (without: ComputerList, options: CallOptions | undefined) => {
    try {
      const answer = await readList(true, options);
      requestsSteps = !lacksSteps(answer);
      return answer;
    } catch (error) {
      if (!isPlatformError(error)) throw error;
      // Whatever a platform does with an unknown parameter costs the steps of the list alone, and only once.
      if (error.code !== 'cancelled') requestsSteps = false;
      return without;
    }
  };
  return {
    list: async (options) => {
      const answer = await readList(requestsSteps === true, options);
      if (requestsSteps !== undefined || !lacksSteps(answer)) return withAllSteps(answer);
      return withAllSteps(await readWithSteps(answer, options));
    },
    get: async (computerId, options) =>
      send({ method: 'GET', host: 'base', path: ONE_PATH, pathValues: { computerId }, schema: computer }, options),
    create: async (body, options) => {
      const checked = checkArgument('POST', LIST_PATH, 'body', newComputer, body);
      return send({ method: 'POST', host: 'base', path: LIST_PATH, body: checked, schema: computer }, options);
    },
    installDeps: async (computerId, options) =>
      send({ method: 'POST', host: 'base', path: INSTALL_PATH, pathValues: { computerId }, schema: computer }, options),
  };
}
