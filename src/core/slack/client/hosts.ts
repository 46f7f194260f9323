/** Payloads contain addresses, and requests go to these hosts only. */
export interface SlackHosts {
  /** @throws ForeignAddressError */
  checkResponseUrl(address: string): URL;
  /** @throws ForeignAddressError */
  checkFileUrl(address: string): URL;
}

/** The message does not quote the address: it may be anything. */
export class ForeignAddressError extends Error {
  override readonly name = 'ForeignAddressError';
}

/**
 * @param apiUrl base of the Web API; its host counts as Slack's too, so that another Slack can run there
 * @example slackHosts('https://slack.com/api/').checkResponseUrl('https://hooks.slack.com/commands/T1/2/3')
 */
export function slackHosts(apiUrl: string): SlackHosts {
  const api = new URL(apiUrl);
  const check = (kind: string, hosts: readonly string[], address: string): URL => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isSafe = url && !url.username && !url.password;
    if (isSafe && url.protocol === api.protocol && url.host === api.host) return url;
    if (isSafe && url.protocol === 'https:' && hosts.includes(url.host)) return url;
    throw new ForeignAddressError(`A ${kind} leads to a host that is not Slack’s`);
  };
  return {
    checkResponseUrl: (address) => check('response_url', ['hooks.slack.com', `hooks.${api.host}`], address),
    checkFileUrl: (address) => check('file', ['files.slack.com', `files.${api.host}`], address),
  };
}
