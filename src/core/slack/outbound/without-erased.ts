import { isUtf8 } from 'node:buffer';
import type { InWorkspaceNames } from '../client/clients.ts';

/** What people read; ids beside it say where a message goes. */
const CONTENT = new Set(['text', 'blocks', 'view', 'title', 'initial_comment', 'response_action', 'errors']);

type Replace = (text: string) => string;

/** Removes erased people from all that leaves for Slack. @param recent replaces those whose erasure is running */
export function withoutErased(inWorkspaceNames: InWorkspaceNames, recent: () => Replace | undefined): InWorkspaceNames {
  return (body) => {
    const named = inWorkspaceNames(body);
    const replace = recent();
    if (!replace) return named;
    return Object.fromEntries(
      Object.entries(named).map(([key, value]) => [key, CONTENT.has(key) ? replaceIn(value, replace) : value]),
    );
  };
}

/** A file that is no text stays as it is. */
export function fileWithoutErased(file: Buffer, replace: Replace | undefined): Buffer {
  if (!replace || !isUtf8(file)) return file;
  const text = file.toString();
  const replaced = replace(text);
  return replaced === text ? file : Buffer.from(replaced);
}

function replaceIn(value: unknown, replace: Replace): unknown {
  if (value === undefined) return value;
  const json = JSON.stringify(value);
  const replaced = replace(json);
  return replaced === json ? value : JSON.parse(replaced);
}
