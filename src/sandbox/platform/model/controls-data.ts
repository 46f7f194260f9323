import type { Clock } from '../../clock.ts';
import type { Organization } from './organization.ts';
import { hash } from './random.ts';

type Settings = Record<string, unknown>;

export interface WireChange {
  revision: number;
  settings: Settings;
  user: { id: string; email: string; name: string };
  updatedAt: string;
}

export interface NewRevision {
  /** Members to change; `null` removes one. */
  settings: Settings;
  /** E-mail of the author; default: the first admin of the demo. */
  email?: string | undefined;
}

export interface ControlsHistory {
  /** Newest first (API document: "ordered by revision descending"). */
  changes(): WireChange[];
  addRevision(revision: NewRevision): WireChange;
  /** What the API shows, newest first. */
  shown(): unknown[];
  /** Shows any value in place of a revision, as a faulty platform does; undefined shows the revision again. */
  showInstead(revision: number, value: unknown): void;
}

/** Secret values of the generated settings, which must never be visible outside the platform. */
export const PLANTED_SECRETS = [
  'sk-planted-7f3a9c1e5b2d8046',
  'sk-planted-0b1c2d3e4f5a6978',
  'planted-header-token-4411',
  'planted-argument-password-9',
  'AKIAPLANTED000000001',
  'planted-telemetry-token-5512',
] as const;

const HOUR_MS = 3_600_000;
const FIRST_REVISION_AGE_HOURS = 24 * 60;

const customModels = (apiKey: string, headerToken: string) => [
  {
    model: 'in-house-70b',
    id: 'custom:in-house-70b',
    index: 0,
    baseUrl: 'https://models.acme.example/v1',
    apiKey,
    displayName: 'In-house 70B',
    maxContextLimit: 131_072,
    enableThinking: false,
    maxOutputTokens: 8_192,
    extraHeaders: { 'x-team-token': headerToken },
    extraArgs: { password: PLANTED_SECRETS[3], temperature: 0.2 },
    noImageSupport: true,
    managedCloud: {
      cloudProfile: 'ml',
      cloudRegion: 'eu-central-1',
      cloudBaseUrl: 'https://inference.acme.example',
      cloudAuthRefresh: 'acme-login refresh',
      cloudCredentialExport: `export ACCESS_KEY_ID=${PLANTED_SECRETS[4]}`,
    },
  },
];

const FIRST_SETTINGS: Settings = {
  sessionDefaultSettings: { model: 'atlas-large', specModeModel: 'atlas-large-thinking' },
  cloudSessionSync: true,
  includeCoAuthoredByAgent: true,
  enableAgentShield: false,
  commandAllowlist: ['npm test', 'git status'],
  commandDenylist: ['rm -rf /'],
  modelPolicy: {
    allowedModelIds: ['atlas-large', 'atlas-large-thinking', 'atlas-small'],
    blockedModelIds: [],
    allowCustomModels: false,
    allowedBaseUrls: [],
    allowAllPlatformModels: false,
    isFastModelsAllowed: true,
  },
  mcpPolicy: { enabled: true, allowlist: ['github', 'linear'] },
  sandbox: {
    enabled: false,
    filesystem: { allowWrite: [], allowRead: [], denyWrite: ['/etc'], denyRead: ['/etc/shadow'] },
    network: {
      allowedDomains: ['*.acme.example'],
      allowUnixSockets: [],
      allowAllUnixSockets: false,
      allowLocalBinding: true,
    },
  },
  managedComputersEnabled: true,
  managedComputersAllowedEmails: ['ada.admin@acme.example'],
  sessionRetentionDays: 90,
};

/** The changes of each generated revision, oldest first. */
const STEPS: readonly Settings[] = [
  { commandDenylist: ['rm -rf /', 'curl * | sh'] },
  { mcpPolicy: { enabled: true, allowlist: ['github', 'linear', 'sentry'] } },
  { customModels: customModels(PLANTED_SECRETS[0], PLANTED_SECRETS[2]) },
  {
    sandbox: { enabled: true, filesystem: { denyRead: ['/etc/shadow', '~/.ssh'] }, network: { httpProxyPort: 3_128 } },
  },
  // Only the secret changes: that it changed is shown, its value is not.
  { customModels: customModels(PLANTED_SECRETS[1], PLANTED_SECRETS[2]) },
  { sessionRetentionDays: 30, includeCoAuthoredByAgent: null },
  // Members that the document does not list ("may be added, removed or renamed between API versions"), one with a secret.
  { telemetryExport: { endpoint: 'https://telemetry.acme.example', token: PLANTED_SECRETS[5] }, rolloutRing: 'beta' },
  { enableAgentShield: true, restrictApiKeyCreationToManagers: true },
  { networkPolicy: { allowedIps: ['192.0.2.0/24'] }, missionPolicy: { restrictedAccess: true, allowedUserIds: [] } },
  { managedComputersAllowedEmails: ['ada.admin@acme.example', 'max.member@acme.example'] },
];

/**
 * Creates the initial history; only `addRevision` adds more revisions.
 *
 * @param oldest the first revision that it still shows
 */
export function createControlsHistory(organization: Organization, clock: Clock, oldest: number): ControlsHistory {
  const startedAtMs = clock.now().getTime();
  const changes: WireChange[] = [];
  const add = ({ settings, email = 'ada.admin@acme.example' }: NewRevision, at: Date): WireChange => {
    const merged = merge(changes[0]?.settings ?? {}, settings);
    const person = organization.byEmail.get(email.toLowerCase());
    const user = { id: person?.id ?? `user_${hash(email.length)}`, email, name: person?.name ?? email };
    const change = { revision: (changes[0]?.revision ?? 0) + 1, settings: merged, user, updatedAt: at.toISOString() };
    changes.unshift(change);
    return change;
  };
  const authors = ['ada.admin@acme.example', 'morgan.manager@acme.example'];
  for (const [index, settings] of [FIRST_SETTINGS, ...STEPS].entries()) {
    const ageHours = FIRST_REVISION_AGE_HOURS * (1 - index / (STEPS.length + 1)) + 5;
    add({ settings, email: authors[index % authors.length] }, new Date(startedAtMs - ageHours * HOUR_MS));
  }
  changes.splice(changes.length - oldest + 1);
  const odd = new Map<number, unknown>();
  return {
    changes: () => changes,
    addRevision: (revision) => add(revision, clock.now()),
    shown: () => changes.map((change) => odd.get(change.revision) ?? change),
    showInstead: (revision, value) => {
      if (value === undefined) odd.delete(revision);
      else odd.set(revision, value);
    },
  };
}

/** Objects are merged, everything else is replaced, `null` removes. */
function merge(before: Settings, patch: Settings): Settings {
  const merged: Settings = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    const old = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) && isObject(old) ? merge(old, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
