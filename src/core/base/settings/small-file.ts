import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 65_536;

/** The path is not a regular file, or a larger one. */
export class NoSmallFileError extends Error {
  override readonly name = 'NoSmallFileError';
}

/** Refuses devices and pipes, which might never end. @throws NoSmallFileError, or the error of the file system */
export function readSmallFile(path: string, maxBytes = MAX_BYTES): string {
  // Non-blocking, because opening a pipe would wait for its other end.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    // A folder is let through, because reading it fails with an error of its own.
    const isReadable = stats.isFile() || stats.isDirectory();
    if (!isReadable || stats.size > maxBytes) throw new NoSmallFileError(path);
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= maxBytes; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > maxBytes) throw new NoSmallFileError(path);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}
