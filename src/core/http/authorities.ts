import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { SettingFault } from '../base/settings/config.ts';
import { readSmallFile } from '../base/settings/small-file.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/**
 * Trusts the authorities of a file in every connection of the process. Node itself reads NODE_EXTRA_CA_CERTS before
 * `.env` is loaded, and only prints a warning about a file that it cannot read.
 *
 * @returns the fault of the setting; undefined if the authorities are trusted, or none are named
 */
export function trustAuthorities(path: string | undefined): SettingFault | undefined {
  if (path === undefined) return undefined;
  const fault = {
    name: 'NODE_EXTRA_CA_CERTS',
    sentence: `names ${path}, which is no readable file of at most 4 MB with certificates in PEM: correct it`,
  };
  try {
    const certificates = certificatesIn(readSmallFile(path, MAX_FILE_BYTES));
    if (certificates.length === 0) return fault;
    setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
    return undefined;
  } catch {
    return fault;
  }
}

const certificatesIn = (text: string): string[] =>
  text
    .split(END)
    .filter((part) => part.includes(BEGIN))
    .map((part) => part.slice(part.indexOf(BEGIN)) + END);
