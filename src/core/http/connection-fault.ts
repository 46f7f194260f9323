import { wordsIn } from '../base/text/word-list.ts';

/** A proxy did not open a tunnel. Nothing reached the address behind it. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'PROXY_FAILED';
  readonly proxy: string;
  /** With which the proxy refused; undefined if there was no answer. */
  readonly status: number | undefined;

  constructor(proxy: string, status: number | undefined, options?: ErrorOptions) {
    super(
      status === undefined ? `No tunnel through the proxy ${proxy}` : `The proxy ${proxy} answered ${status}`,
      options,
    );
    this.proxy = proxy;
    this.status = status;
  }
}

/** Codes of Node and undici with which nothing of a request has left this machine. */
const NOT_SENT = wordsIn(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT UND_ERR_DESTROYED',
  'UND_ERR_CLOSED DEADLINE_PASSED PROXY_FAILED',
);

type CertificateProblem = 'authority' | 'dates' | 'name' | 'other';

/** Codes with which Node refuses a certificate: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE_PROBLEMS: ReadonlyMap<string, CertificateProblem> = new Map([
  ...[
    ...wordsIn(
      'UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_UNTRUSTED',
      'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN INVALID_CA PATH_LENGTH_EXCEEDED CERT_CHAIN_TOO_LONG',
    ),
  ].map((code) => [code, 'authority'] as const),
  ...[...wordsIn('CERT_NOT_YET_VALID CERT_HAS_EXPIRED')].map((code) => [code, 'dates'] as const),
  ...[...wordsIn('ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH')].map((code) => [code, 'name'] as const),
  ...[...wordsIn('CERT_REVOKED CERT_REJECTED CERT_SIGNATURE_FAILURE INVALID_PURPOSE')].map(
    (code) => [code, 'other'] as const,
  ),
]);

/** The other side answers in plain text, or in a version of TLS that this machine does not speak. */
const NO_TLS = wordsIn(
  'ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
);

export interface ConnectionFault {
  /** Empty if no error of the chain has one. */
  code: string;
  isNotSent: boolean;
  /** What to do, for the operator, without a full stop; undefined if the code alone says what is wrong. */
  advice: string | undefined;
}

const DEEPEST_CAUSE = 6;

/** Several addresses of one name fail as an AggregateError, whose own message is empty. */
function errorsIn(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return [];
  const inner = error instanceof AggregateError ? error.errors.slice(0, 1) : [];
  return [error, ...[...inner, error.cause].flatMap((one) => errorsIn(one, depth + 1))];
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

const problemIn = (codes: readonly string[]): CertificateProblem | undefined =>
  codes.map((one) => CERTIFICATE_PROBLEMS.get(one)).find((problem) => problem !== undefined);

/** Why a certificate is refused; undefined if the error has another reason. */
export const certificateProblemOf = (error: unknown): CertificateProblem | undefined =>
  problemIn(errorsIn(error).map(codeOf));

/**
 * Reads why a connection failed from an error of Node, undici or web-api.
 *
 * @example readConnectionFault(error).advice // 'The proxy proxy.acme.example:3128 …'
 */
export function readConnectionFault(error: unknown): ConnectionFault {
  const errors = errorsIn(error);
  const codes = errors.map(codeOf).filter((code) => code !== '');
  const [code = ''] = codes;
  const proxyError = errors.find((one) => one instanceof ProxyError);
  const certificate = problemIn(codes);
  const isNoTls = codes.some((one) => NO_TLS.has(one));
  return {
    code,
    isNotSent: NOT_SENT.has(code) || proxyError !== undefined || certificate !== undefined || isNoTls,
    advice: proxyError
      ? proxyAdvice(proxyError, certificate)
      : certificate
        ? certificateAdvice('Its certificate', certificate)
        : isNoTls
          ? 'It does not answer in TLS: correct the address or its port'
          : undefined,
  };
}

function certificateAdvice(subject: string, problem: CertificateProblem): string {
  switch (problem) {
    case 'authority':
      return `${subject} is from an authority that this machine does not know: name the file with that authority in NODE_EXTRA_CA_CERTS`;
    case 'dates':
      return `${subject} is not valid today: renew it, or correct the clock of this machine`;
    case 'name':
      return `${subject} is for another name: correct the address or the certificate`;
    case 'other':
      return `${subject} is refused: replace it`;
    default:
      return problem satisfies never;
  }
}

function proxyAdvice({ proxy, status }: ProxyError, certificate: CertificateProblem | undefined): string {
  const settings = 'HTTPS_PROXY and HTTP_PROXY';
  if (certificate) return certificateAdvice(`The certificate of the proxy ${proxy}`, certificate);
  if (status === undefined) return `The proxy ${proxy} does not answer: correct ${settings}, or start the proxy`;
  if (status === 407)
    return `The proxy ${proxy} does not accept the login (status 407): correct the name and password in ${settings}`;
  if (status < 500)
    return `The proxy ${proxy} does not let this through (status ${status}): allow the host there, or name it in NO_PROXY`;
  return `The proxy ${proxy} cannot reach this (status ${status}): check the address, or name the host in NO_PROXY`;
}
