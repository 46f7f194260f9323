import { readFileSync, readdirSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Several times as long as the slowest test takes on a busy machine. */
const SILENT_MS = Number(process.env['SILENT_MINUTES'] ?? 8) * 60_000;

/**
 * A test that keeps its thread passes every limit of time, and its run would end without a report. After a long silence,
 * this names the files that are under way and ends their processes; Vitest then goes on with new ones, and fails.
 */
export default class UnfinishedTests implements Reporter {
  private readonly underWay = new Map<TestModule, string>();
  private timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.restartTimer();
  }

  onTestModuleStart(module: TestModule): void {
    this.underWay.set(module, 'no test began');
    this.restartTimer();
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    this.underWay.set(module, `“${fullName}” began last`);
    this.restartTimer();
  }

  onTestCaseResult(): void {
    this.restartTimer();
  }

  onTestModuleEnd(module: TestModule): void {
    this.underWay.delete(module);
    this.restartTimer();
  }

  onTestRunEnd(): void {
    clearTimeout(this.timer);
  }

  private restartTimer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.endWorkers(), SILENT_MS).unref();
  }

  private endWorkers(): void {
    for (const [{ relativeModuleId }, state] of this.underWay) {
      process.stdout.write(`UNFINISHED: ${relativeModuleId}: ${state}\n`);
    }
    if (this.underWay.size === 0) process.stdout.write('UNFINISHED: no file is under way\n');
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
    this.restartTimer();
  }
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

/** @returns undefined if it has ended in the meantime */
function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
