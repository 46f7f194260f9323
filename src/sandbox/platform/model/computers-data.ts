import type { Clock } from '../../clock.ts';
import type { Edition } from './edition.ts';
import { hash } from './random.ts';

interface NewComputerBody {
  name: string;
  remoteUser: string;
  provider?: 'byom' | 'hosted' | 'e2b' | undefined;
  hostId?: string | undefined;
  repos?: string[] | undefined;
  autoInstallDeps?: boolean | undefined;
}

interface StoredComputer {
  id: string;
  body: NewComputerBody;
  createdAtMs: number;
  /** The start of the last retried installation, if there was one. */
  installRetriedAtMs?: number;
  /** The number of failures before an installation succeeds. */
  failures: number;
}

export interface Computers {
  list(withSteps?: boolean): Record<string, unknown>[];
  get(id: string): Record<string, unknown> | undefined;
  create(body: NewComputerBody): Record<string, unknown>;
  /** Restarts the installation; `undefined` if there is no such computer. */
  installDeps(id: string): Record<string, unknown> | undefined;
}

const INSTALL_MS = 60_000;
/** The duration of each step. Names and states of steps are not documented: the simulator's own choice. */
const STEPS = [
  { id: 'machine', name: 'Start the machine', durationMs: 20_000 },
  { id: 'agent', name: 'Connect the agent', durationMs: 15_000 },
  { id: 'repositories', name: 'Clone the repositories', durationMs: 25_000 },
  { id: 'install-deps', name: 'Install dependencies', durationMs: INSTALL_MS },
] as const;
const BEFORE_INSTALL_MS = 60_000;
const INSTALL_ERROR = 'npm error ERESOLVE could not resolve dependency tree';

/** A part of a new computer's name that makes its first installation fail. (The simulator's own choice.) */
const FAILING_NAME = /fail|broken/i;

/** A part of a new computer's name that makes its installation endless. (The simulator's own choice.) */
const STUCK_NAME = /stuck/i;

/** Today, the only account of managed machines, whichever one a request names. */
const MANAGED_ACCOUNT = 'factory-user';

const MANAGED_PROVIDERS = { contract: 'hosted', today: 'e2b' } as const;

/** Creates computers whose state is a function of the clock. */
export function createComputers(seed: number, clock: Clock, edition: Edition): Computers {
  const managed = MANAGED_PROVIDERS[edition];
  const startedAtMs = clock.now().getTime();
  const stored: StoredComputer[] = [];
  const add = (body: NewComputerBody, createdAtMs: number, failures = 0) => {
    const id = `computer_${hash(seed, stored.length, 51).toString(36)}${stored.length}`;
    const computer = { id, body, createdAtMs, failures };
    stored.push(computer);
    return computer;
  };
  const hostId = '3d6f0a4e-52d1-4c7e-9a3b-0f1e2d3c4b5a';
  add({ name: 'build-eu-1', remoteUser: 'agent', provider: managed }, startedAtMs - 40 * 86_400_000);
  add({ name: 'morgan-workstation', remoteUser: 'morgan', provider: 'byom', hostId }, startedAtMs - 20 * 86_400_000);
  add({ name: 'payments-ci', remoteUser: 'agent', provider: managed }, startedAtMs - 3_600_000, 1);
  add({ name: 'data-lab', remoteUser: 'agent', provider: managed }, startedAtMs - 45_000);

  const find = (id: string) => stored.find((computer) => computer.id === id);
  const show = (computer: StoredComputer) => describe(computer, clock.now().getTime(), edition);
  return {
    list: (withSteps = true) =>
      stored.map((computer) => {
        const { provisioningSteps, ...rest } = show(computer);
        return withSteps ? { ...rest, provisioningSteps } : rest;
      }),
    get: (id) => {
      const computer = find(id);
      return computer && show(computer);
    },
    create: (body) => show(add(body, clock.now().getTime(), FAILING_NAME.test(body.name) ? 1 : 0)),
    installDeps: (id) => {
      const computer = find(id);
      if (!computer) return undefined;
      if (statusOf(computer, clock.now().getTime(), edition) === 'error') computer.failures -= 1;
      computer.installRetriedAtMs = clock.now().getTime();
      return show(computer);
    },
  };
}

function installBeganAtMs({ createdAtMs, installRetriedAtMs }: StoredComputer): number {
  return installRetriedAtMs ?? createdAtMs + BEFORE_INSTALL_MS;
}

function installMs({ body }: StoredComputer): number {
  return STUCK_NAME.test(body.name) ? Infinity : INSTALL_MS;
}

function installs({ body }: StoredComputer): boolean {
  return body.autoInstallDeps ?? true;
}

const isReadyAtOnce = ({ body }: StoredComputer, edition: Edition) => edition === 'today' && body.provider === 'byom';

function statusOf(computer: StoredComputer, nowMs: number, edition: Edition): 'provisioning' | 'active' | 'error' {
  if (isReadyAtOnce(computer, edition) && computer.installRetriedAtMs === undefined) return 'active';
  if (nowMs < computer.createdAtMs + BEFORE_INSTALL_MS) return 'provisioning';
  if (!installs(computer) && computer.installRetriedAtMs === undefined) return 'active';
  if (nowMs < installBeganAtMs(computer) + installMs(computer)) return 'provisioning';
  return computer.failures > 0 ? 'error' : 'active';
}

function describe(computer: StoredComputer, nowMs: number, edition: Edition): Record<string, unknown> {
  const { id, body, createdAtMs } = computer;
  const status = statusOf(computer, nowMs, edition);
  const providerType = body.provider ?? MANAGED_PROVIDERS[edition];
  const required = { id, name: body.name, providerType, createdAt: createdAtMs };
  const isReplaced = edition === 'today' && providerType !== 'byom';
  const optional = {
    status,
    provisioningSteps: isReadyAtOnce(computer, edition) ? [] : stepsOf(computer, nowMs),
    remoteUser: isReplaced ? MANAGED_ACCOUNT : body.remoteUser,
  };
  const host = body.hostId === undefined ? {} : { hostId: body.hostId };
  if (status !== 'active') return { ...required, ...optional, ...host };
  return {
    ...required,
    ...optional,
    ...host,
    hostname: `${body.name}.computers.acme.example`,
    relayClientUrl: `wss://relay.acme.example/client/${id}`,
    relayAgentUrl: `wss://relay.acme.example/agent/${id}`,
  };
}

function stepsOf(computer: StoredComputer, nowMs: number): Record<string, unknown>[] {
  let beginsAtMs = computer.createdAtMs;
  return STEPS.filter((step) => step.id !== 'install-deps' || installs(computer) || computer.installRetriedAtMs).map(
    (step) => {
      const startedAt = step.id === 'install-deps' ? installBeganAtMs(computer) : beginsAtMs;
      const completedAt = startedAt + (step.id === 'install-deps' ? installMs(computer) : step.durationMs);
      beginsAtMs = completedAt;
      const { id, name } = step;
      if (nowMs < startedAt) return { id, name, status: 'pending' };
      if (nowMs < completedAt) return { id, name, status: 'running', startedAt };
      const failed = id === 'install-deps' && computer.failures > 0;
      if (!failed) return { id, name, status: 'completed', startedAt, completedAt };
      const installSessionId = `ses_install_${computer.id}`;
      return { id, name, status: 'failed', error: INSTALL_ERROR, installSessionId, startedAt, completedAt };
    },
  );
}
