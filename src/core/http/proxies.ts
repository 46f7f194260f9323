import { BlockList, isIP } from 'node:net';

/** The addresses may hold a name and a password. */
export interface ProxySettings {
  /** For addresses with https, and for the socket. */
  httpsProxy: string | undefined;
  httpProxy: string | undefined;
  /** What is reached without a proxy. */
  noProxy: string | undefined;
}

/** Chooses the proxy of an address; undefined if it is reached directly. */
export type ChooseProxy = (address: URL) => URL | undefined;

/**
 * `NO_PROXY` takes names with everything below them, addresses and their ranges, each with a port if it has one, and
 * `*`. This machine itself is always reached directly, as no proxy could.
 *
 * @example createProxyChoice({ httpsProxy: 'http://proxy:3128', httpProxy: undefined, noProxy: '.acme.example' })
 */
export function createProxyChoice({ httpsProxy, httpProxy, noProxy = '' }: ProxySettings): ChooseProxy {
  const proxies: Readonly<Record<string, URL | undefined>> = {
    'https:': httpsProxy === undefined ? undefined : new URL(httpsProxy),
    'http:': httpProxy === undefined ? undefined : new URL(httpProxy),
  };
  const exceptions = noProxy.split(/[\s,]+/).flatMap((word) => (word === '' ? [] : readException(word)));
  return (address) => {
    const host = bareHost(address.hostname);
    const port = address.port || (address.protocol === 'http:' ? '80' : '443');
    const isDirect = isThisMachine(host) || exceptions.some((one) => one.isOf(host) && (one.port ?? port) === port);
    return isDirect ? undefined : proxies[address.protocol.replace('ws', 'http')];
  };
}

/** The name of a proxy for the operator, without its login. */
export const nameProxy = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;

interface Exception {
  isOf: (host: string) => boolean;
  port: string | undefined;
}

/** @example readException('.acme.example:8443'); readException('10.0.0.0/8'); readException('[fd00::1]:443') */
function readException(word: string): Exception {
  const { name, port } = splitPort(word);
  const [network = '', length] = name.split('/', 2);
  if (isIP(network) > 0) return { isOf: (host) => isInNetwork(host, network, length), port };
  if (name === '*') return { isOf: () => true, port };
  const domain = name.replace(/^\*?\./, '');
  const isSubdomainOnly = name.startsWith('*.');
  return { isOf: (host) => (host === domain && !isSubdomainOnly) || host.endsWith(`.${domain}`), port };
}

/** A name without brackets and with more than one colon is an address of IPv6, which has no port. */
function splitPort(word: string): { name: string; port: string | undefined } {
  const end = word.lastIndexOf(':');
  const port = word.slice(end + 1);
  const hasPort =
    end > 0 && /^\d{1,5}$/.test(port) && (word.startsWith('[') ? word[end - 1] === ']' : word.indexOf(':') === end);
  return hasPort ? { name: bareHost(word.slice(0, end)), port } : { name: bareHost(word), port: undefined };
}

function isInNetwork(host: string, network: string, length: string | undefined): boolean {
  const family = familyOf(network);
  if (isIP(host) !== isIP(network)) return false;
  const most = family === 'ipv4' ? 32 : 128;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return false;
  const prefix = length === undefined ? most : Number(length);
  if (prefix > most) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list.check(host, family);
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const isThisMachine = (host: string) =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '::1' ||
  (isIP(host) === 4 && host.startsWith('127.'));

/** In lower case, without the brackets of IPv6 and the dot at the end of a full name. */
const bareHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
