import { nameKey } from '../../../core/base/text/email.ts';
import type { People } from '../../../core/slack/people/people.ts';
import type { ReadMessage } from '../messages/reading.ts';
import type { Names } from './question.ts';
import { readMessageText } from './read-message.ts';

export function createReadMessage(people: Pick<People, 'teams' | 'names'>): ReadMessage {
  return async (text, _asker, now) => {
    const [teams, names] = await Promise.all([people.teams(), people.names()]);
    const groups = new Map(teams.map(({ handle, id }) => [handle.toLowerCase(), `<!subteam^${id}>`]));
    return readMessageText(text, { groups: withShortNames(groups), people: namesOf(names) }, now);
  };
}

/** “the web team” is @web-team. */
function withShortNames(groups: ReadonlyMap<string, string>): Names['groups'] {
  const short = [...groups].map(([handle, word]) => [handle.replace(/-(?:team|squad|group)$/, ''), word] as const);
  return new Map([...short, ...groups]);
}

/** First and full names; a first name that several people have names none of them. */
function namesOf(names: ReadonlyMap<string, string>): Names['people'] {
  const people = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const [email, name] of names) {
    const full = nameKey(name);
    const [first = ''] = full.split(/\s+/);
    for (const one of new Set([full, first, nameKey(email.split('@', 1)[0] ?? '')])) {
      if (people.has(one)) ambiguous.add(one);
      people.set(one, email);
    }
  }
  for (const one of [...ambiguous, '']) people.delete(one);
  return people;
}
