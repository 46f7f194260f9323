import type { Logger } from '../base/log.ts';
import { healthRoute, metricsRoute, readinessRoute, type Check } from './health.ts';
import { startHttpServer, type Route } from './server.ts';

export interface OwnServers {
  port: number;
  metricsPort: number;
  close(): Promise<void>;
}

/**
 * Starts what the bot serves: health and Slack's requests on the one port, metrics on another that Slack never reaches.
 *
 * @throws PortError naming the setting of the port that cannot be used
 */
export async function startOwnServers(deps: {
  config: { port: number; metricsPort: number };
  checks: readonly Check[];
  metrics: { render(): Promise<string>; contentType: string };
  /** HTTP mode only. */
  slackRoute: Route | undefined;
  log: Logger;
}): Promise<OwnServers> {
  const { config, checks, metrics, slackRoute, log } = deps;
  const server = await startHttpServer({
    port: config.port,
    setting: 'PORT',
    routes: [healthRoute(), readinessRoute(checks, log), ...(slackRoute ? [slackRoute] : [])],
    log,
  });
  try {
    const metricsServer = await startHttpServer({
      port: config.metricsPort,
      setting: 'METRICS_PORT',
      routes: [metricsRoute(metrics)],
      log,
    });
    return {
      port: server.port,
      metricsPort: metricsServer.port,
      close: async () => {
        await Promise.all([server.close(), metricsServer.close()]);
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
