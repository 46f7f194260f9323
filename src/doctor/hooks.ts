import type { Config } from '../base/settings/config.ts';
import { HOOKS_PATH, UNKNOWN_TOKEN } from '../http/hooks-address.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const TIMEOUT_MS = 5_000;

type HooksReading = { kind: 'ours' } | { kind: 'stranger'; status: number } | { kind: 'silent' };

/** Asks at HOOKS_URL without a token, as nobody who may send events does. */
async function readHooks(url: string): Promise<HooksReading> {
  try {
    const options = { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    const answer = await fetch(`${url}${HOOKS_PATH}`, options);
    if (answer.status !== 401) {
      await answer.body?.cancel();
      return { kind: 'stranger', status: answer.status };
    }
    return (await answer.text()).includes(UNKNOWN_TOKEN) ? { kind: 'ours' } : { kind: 'stranger', status: 401 };
  } catch {
    return { kind: 'silent' };
  }
}

/** Does the address by which people's computers send events lead to the bot? */
export async function examineHooks({ hooks }: Pick<Config, 'hooks'>): Promise<Finding[]> {
  if (!hooks) return [];
  const reading = await readHooks(hooks.url);
  switch (reading.kind) {
    case 'ours':
      return [ok('HOOKS_URL', 'It leads to Quartermaster.')];
    case 'stranger':
      return [
        fault(
          'HOOKS_URL',
          `What answers there is not Quartermaster (status ${reading.status}): correct the address, or let it lead to HOOKS_PORT.`,
        ),
      ];
    case 'silent':
      return [
        warning(
          'HOOKS_URL',
          'Nothing answers there. If Quartermaster is running, check the address, and that it leads to HOOKS_PORT.',
        ),
      ];
    default:
      return reading satisfies never;
  }
}
