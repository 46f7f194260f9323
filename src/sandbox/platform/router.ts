import { administrationRoutes } from './administration-routes.ts';
import { analyticsRoutes } from './analytics-routes.ts';
import type { Route } from './route.ts';

/** Every operation of the API document. */
export const ROUTES: readonly Route[] = [...analyticsRoutes, ...administrationRoutes];

const compiled = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** The route of a method and path, with the values of its `{names}`. */
export function findRoute(
  method: string,
  pathname: string,
): { route: Route; path: Record<string, string> } | undefined {
  for (const { route, pattern } of compiled) {
    const match = route.method === method ? pattern.exec(pathname) : null;
    if (!match) continue;
    const groups: Record<string, string> = match.groups ?? {};
    const values = Object.entries(groups).map(([name, value]): [string, string] => [name, decode(value)]);
    return { route, path: Object.fromEntries(values) };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
