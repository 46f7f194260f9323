import { setTimeout as delay } from 'node:timers/promises';
import type { SocketFault } from '../../../src/sandbox/slack/people/control-types.ts';
import type { TestApp } from '../test-app.ts';

/** The ways in which Slack renews a connection. */
export const REFRESHES: readonly SocketFault[] = [
  { kind: 'refresh_requested' },
  { kind: 'warning' },
  { kind: 'refresh_requested', leaveTcpOpen: true },
  { kind: 'warning', leaveTcpOpen: true },
];

/** The results of some refreshes. */
export interface RefreshReport {
  commands: number;
  commandsPerSecond: number;
  unanswered: number;
  /** How often `/readyz` reported a fault of Slack. */
  unready: number;
  /** The most connections that were open at once. */
  mostConnections: number;
}

const COMMANDS_A_SECOND = 20;

/** Renews the connection again and again while commands are typed all the time. */
export async function refreshUnderLoad(
  { slack, app }: Pick<TestApp, 'slack' | 'app'>,
  fault: SocketFault,
  rounds: number,
): Promise<RefreshReport> {
  const report: RefreshReport = { commands: 0, commandsPerSecond: 0, unanswered: 0, unready: 0, mostConnections: 0 };
  const over = new AbortController();
  const stopListening = slack.events.listen((event) => {
    if (event.kind === 'connection') report.mostConnections = Math.max(report.mostConnections, event.connections);
  });
  const people = (async () => {
    const deliveries: Promise<void>[] = [];
    const startedMs = performance.now();
    while (!over.signal.aborted) {
      const typed = { as: 'mia', channel: 'general', command: '/usage', text: 'help' };
      report.commands += 1;
      deliveries.push(slack.control.command(typed).then(({ inTime }) => void (report.unanswered += inTime ? 0 : 1)));
      // Counted from the beginning: a pause that took too long shortens the next ones.
      await delay(Math.max(0, startedMs + (report.commands * 1_000) / COMMANDS_A_SECOND - performance.now()));
    }
    report.commandsPerSecond = Math.round((report.commands * 1_000) / (performance.now() - startedMs));
    await Promise.all(deliveries);
  })();
  const watch = (async () => {
    while (!over.signal.aborted) {
      const { slack: word } = await readReadiness(app.port);
      report.unready += word === 'in order' ? 0 : 1;
      await delay(20);
    }
  })();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const since = slack.mark();
      await slack.control.breakSockets(fault);
      await slack.next('connection', ({ what }) => what === 'opened', { since });
      await slack.next('connection', ({ what, connections }) => what === 'closed' && connections === 1, { since });
    }
  } finally {
    over.abort();
    stopListening();
    await Promise.all([people, watch]);
  }
  return report;
}

/** The answer of `/readyz`. */
export async function readReadiness(port: number): Promise<Record<string, string>> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return Object(await answer.json());
}
