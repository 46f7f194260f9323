import type { DigestSection, DigestQuery, SectionReading } from '../../feature.ts';
import type { ForChannel, ForNamedChannel } from '../../slack/people/audience.ts';
import { createCache } from '../../cache.ts';
import { reportError } from '../../slack/blocks/faults.ts';
import { readActivitySection, readCreditsSection, readProductivitySection, readToolsSection } from './totals.ts';
import { readPeopleSection } from './people.ts';
import { readSummarySection } from './summary.ts';
import { notByPerson, type SectionContent } from './content.ts';
import type { UsageDeps } from '../deps.ts';

/** What this feature says in a digest about a period. */
type SectionReader<Readers> = (deps: UsageDeps, query: DigestQuery, readers: Readers) => Promise<SectionContent>;

/** Only a section that says so may name people. */
type UsageSection = { id: string; title: string; description: string; isDefault: boolean } & (
  | { namesPeople: false; reader: SectionReader<ForChannel> }
  | { namesPeople: true; reader: SectionReader<ForNamedChannel> }
);

/** A morning's digests about the same days and people share one reading. */
const READING_LIFE_MS = 60_000;

/** The sections of usage, in the order in which they stand in a digest. */
export function digestSections(deps: UsageDeps): DigestSection[] {
  const forOrganization =
    (read: SectionReader<ForChannel>): SectionReader<ForChannel> =>
    (_parts, query, readers) =>
      query.people === undefined ? read(deps, query, readers) : Promise.resolve(notByPerson());
  const sections: UsageSection[] = [
    {
      id: 'summary',
      title: 'Usage',
      description: 'Credits, active people, what moved and where it goes',
      namesPeople: false,
      isDefault: true,
      reader: readSummarySection,
    },
    {
      id: 'credits',
      title: 'Credits',
      description: 'By model and tier, input, output and cache',
      namesPeople: false,
      isDefault: false,
      reader: forOrganization(readCreditsSection),
    },
    {
      id: 'people',
      title: 'People',
      description: 'Who used most; names people',
      namesPeople: true,
      isDefault: false,
      reader: readPeopleSection,
    },
    {
      id: 'tools',
      title: 'Tools',
      description: 'Tools, servers, skills and autonomy',
      namesPeople: false,
      isDefault: false,
      reader: forOrganization(readToolsSection),
    },
    {
      id: 'activity',
      title: 'Activity',
      description: 'Active people by day, week, month and client',
      namesPeople: false,
      isDefault: false,
      reader: forOrganization(readActivitySection),
    },
    {
      id: 'productivity',
      title: 'Productivity',
      description: 'Commits, pull requests, files and languages',
      namesPeople: false,
      isDefault: false,
      reader: forOrganization(readProductivitySection),
    },
  ];
  return sections.map((section): DigestSection => {
    const { id, title, description, isDefault } = section;
    const about = { id, title, description, isDefault };
    return section.namesPeople
      ? { ...about, namesPeople: true, read: shared(deps, title, section.reader) }
      : { ...about, namesPeople: false, read: shared(deps, title, section.reader) };
  });
}

/** Reads a section once for all digests that want the same of it. */
function shared<Readers>(
  deps: UsageDeps,
  title: string,
  reader: SectionReader<Readers>,
): (query: DigestQuery, readers: Readers) => Promise<SectionReading> {
  const queries = new Map<string, { query: DigestQuery; readers: Readers }>();
  const readings = createCache(deps.clock, READING_LIFE_MS, async (key: string) => {
    const asked = queries.get(key);
    queries.delete(key);
    if (!asked) throw new Error('A section was read without a query');
    return toReading(await reader(deps, asked.query, asked.readers), title, asked.query);
  });
  return (query, readers) => {
    const { period, comparedWith, people, about } = query;
    const key = JSON.stringify([period, comparedWith, people, about]);
    queries.set(key, { query, readers });
    return readings.get(key);
  };
}

function toReading(
  { faults, ...content }: SectionContent,
  title: string,
  { period, log }: DigestQuery,
): SectionReading {
  const [fault] = faults;
  if (!fault) return content;
  return { kind: 'unreadable', ...reportError(fault.fault, log, { section: title, part: fault.part, digest: period }) };
}
