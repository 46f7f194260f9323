import { hasRole } from '../../base/roles.ts';
import type { Person } from '../../slack/people/people.ts';
import type { CommandLine } from './reading.ts';

const line = (command: string, text: string): CommandLine => ({ command, text });

/** Three commands for a first question. */
export function examplesFor({ role }: Pick<Person, 'role'>): readonly CommandLine[] {
  if (!hasRole(role, 'manager')) return [line('/usage', 'last week me'), line('/limits', ''), line('/readiness', '')];
  return [line('/usage', 'last week'), line('/usage', 'moved last month'), line('/budget', '')];
}
