import type { Logger } from '../base/log.ts';
import { pauseWork } from '../base/time/turns.ts';
import { healthRoute, metricsRoute, readinessRoute, type Check } from './health.ts';
import { startHttpServer, type HttpServer, type Route } from './server.ts';

export interface OwnServers {
  port: number;
  metricsPort: number;
  /** `undefined` if no events of clients are taken. */
  hooksPort: number | undefined;
  toolsPort: number | undefined;
  close(): Promise<void>;
}

/** Health and Slack's requests share a port; three others exist. @throws PortError that names the faulty setting */
export async function startOwnServers(deps: {
  config: {
    port: number;
    metricsPort: number;
    keepAliveSeconds: number;
    hooks: { port: number } | undefined;
    tools: { port: number } | undefined;
  };
  checks: readonly Check[];
  metrics: { render(): Promise<string>; contentType: string };
  /** HTTP mode only. */
  slackRoute: Route | undefined;
  hooksRoute: Route | undefined;
  toolsRoute: Route | undefined;
  log: Logger;
}): Promise<OwnServers> {
  const { config, checks, metrics, slackRoute, hooksRoute, toolsRoute, log } = deps;
  const started: HttpServer[] = [];
  const close = async () => {
    await Promise.all(started.map((server) => server.close()));
  };
  const start = async (port: number, setting: string, routes: readonly Route[], onArrival?: () => void) => {
    const server = await startHttpServer({
      port,
      setting,
      routes,
      log,
      onArrival,
      keepAliveSeconds: config.keepAliveSeconds,
    });
    started.push(server);
    return server.port;
  };
  try {
    const health = [healthRoute(), readinessRoute(checks, log)];
    // Slack waits for the acknowledgement of each request, and opens the connections of a burst one by one.
    const port = slackRoute
      ? await start(config.port, 'PORT', [...health, slackRoute], pauseWork)
      : await start(config.port, 'PORT', health);
    const metricsPort = await start(config.metricsPort, 'METRICS_PORT', [metricsRoute(metrics)]);
    const hooksPort =
      config.hooks && hooksRoute ? await start(config.hooks.port, 'HOOKS_PORT', [hooksRoute]) : undefined;
    const toolsPort = config.tools && toolsRoute ? await start(config.tools.port, 'MCP_PORT', [toolsRoute]) : undefined;
    return { port, metricsPort, hooksPort, toolsPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}
