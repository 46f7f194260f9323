import { administrationRoutes } from './administration-routes.ts';
import { analyticsRoutes } from './analytics-routes.ts';
import type { Edition } from '../model/edition.ts';
import type { Route } from './route.ts';

export const ROUTES: readonly Route[] = [...analyticsRoutes, ...administrationRoutes];

const compiled = ROUTES.map((route) => ({ route, parts: route.path.split('/') }));

/** Returns an edition's route of a method and path, with the values of its `{names}`. */
export function findRoute(
  edition: Edition,
  method: string,
  pathname: string,
): { route: Route; path: Record<string, string> } | undefined {
  const requestParts = pathname.split('/');
  for (const { route, parts } of compiled) {
    const isServed = route.method === method && (route.edition ?? edition) === edition;
    const path = isServed ? matchParts(parts, requestParts) : undefined;
    if (path) return { route, path };
  }
  return undefined;
}

function matchParts(parts: readonly string[], requestParts: readonly string[]): Record<string, string> | undefined {
  if (parts.length !== requestParts.length) return undefined;
  const path: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = requestParts[index] ?? '';
    if (part.startsWith('{') && value !== '') path[part.slice(1, -1)] = decode(value);
    else if (part !== value) return undefined;
  }
  return path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
