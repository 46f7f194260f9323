import type { Config } from '../base/settings/config.ts';
import { HOOKS_PATH, UNKNOWN_TOKEN } from '../http/hooks-address.ts';
import { fault, ok, warning, type Finding } from './finding.ts';

const TIMEOUT_MS = 5_000;

export async function examineHooks({ hooks }: Pick<Config, 'hooks'>): Promise<Finding[]> {
  return hooks ? [await examineAddress(hooks.url)] : [];
}

/** Asks at HOOKS_URL without a token, as nobody who may send events does. */
async function examineAddress(url: string): Promise<Finding> {
  try {
    const options = { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    const answer = await fetch(`${url}${HOOKS_PATH}`, options);
    const isRefused = answer.status === 401;
    if (!isRefused) await answer.body?.cancel();
    if (isRefused && (await answer.text()).includes(UNKNOWN_TOKEN))
      return ok('HOOKS_URL', 'It leads to Quartermaster.');
    return fault(
      'HOOKS_URL',
      `What answers there is not Quartermaster (status ${answer.status}): correct the address, or let it lead to HOOKS_PORT.`,
    );
  } catch {
    return warning(
      'HOOKS_URL',
      'Nothing answers there. If Quartermaster is running, check the address, and that it leads to HOOKS_PORT.',
    );
  }
}
