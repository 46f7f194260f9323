/** The models of the generated organization. All names are invented; only their form follows the API document. */
export const MODELS = [
  { id: 'atlas-large', tier: 'standard', creditsFactor: 1 },
  { id: 'atlas-large-thinking', tier: 'thinking', creditsFactor: 1.6 },
  { id: 'atlas-small', tier: 'standard', creditsFactor: 0.3 },
  { id: 'boreal-2', tier: 'standard', creditsFactor: 0.8 },
  { id: 'boreal-2-thinking', tier: 'thinking', creditsFactor: 1.3 },
  { id: 'cinder-mini', tier: 'standard', creditsFactor: 0.15 },
] as const;

/** Each name with its share of all calls. */
export const TOOLS = [
  ['Read', 0.3],
  ['Edit', 0.17],
  ['Execute', 0.15],
  ['Grep', 0.11],
  ['LS', 0.07],
  ['Glob', 0.06],
  ['Create', 0.05],
  ['TodoWrite', 0.04],
  ['Task', 0.02],
  ['WebSearch', 0.015],
  ['FetchUrl', 0.01],
  ['ApplyPatch', 0.005],
] as const;

/** API document: "About 0.006% of tool-name entries contain parsing artifacts." */
export const ARTIFACT_SHARE = 0.00006;
export const ARTIFACTS = [
  'Read</tool_name>\n<parameter name="file_path">',
  '{"name":"Execute","arguments":',
  'Grep<|end|>',
  '`Edit`\n\nNow I will',
  'Execute "<@U000> | *all*"',
] as const;

/** API document: "Tool-server names may appear twice differing only in letter case." */
export const SERVERS = [
  'github',
  'GitHub',
  'linear',
  'Linear',
  'sentry',
  'Sentry',
  'figma',
  'postgres',
  'notion',
] as const;
export const SKILLS = [
  'code-review',
  'write-tests',
  'release-notes',
  'migrate-database',
  'frontend-polish',
  'threat-model',
] as const;
export const SLASH_COMMANDS = ['/review', '/compact', '/model', '/clear', '/cost', '/init', '/mcp'] as const;
export const HOOKS = [
  { event: 'PostToolUse', matcher: 'Edit|Create', command: 'npm run format' },
  { event: 'Stop', matcher: '', command: './scripts/notify.sh done' },
  { event: 'Notification', matcher: '', command: './scripts/notify.sh waiting' },
  { event: 'SubagentStop', matcher: '', command: './scripts/collect.sh' },
  { event: 'SessionEnd', matcher: '', command: './scripts/archive.sh' },
] as const;
export const CLIENTS = ['terminal-ui', 'web', 'non-interactive-cli'] as const;
/** API document: "Delegation levels", with typical tool calls per user turn. */
export const DELEGATION_LEVELS = [
  { id: 'auto-high', autonomy: 'auto_high', callsPerTurn: 9 },
  { id: 'auto-medium', autonomy: 'auto_medium', callsPerTurn: 6 },
  { id: 'auto-low', autonomy: 'auto_low', callsPerTurn: 4 },
  // The four autonomy levels of `/tools` have no "spec"; to count it as manual is the simulator's own choice.
  { id: 'spec', autonomy: 'manual', callsPerTurn: 5 },
  { id: 'manual', autonomy: 'manual', callsPerTurn: 2 },
] as const;
export const EXTENSIONS = [
  { extension: 'ts', language: 'TypeScript' },
  { extension: 'tsx', language: 'TypeScript' },
  { extension: 'py', language: 'Python' },
  { extension: 'go', language: 'Go' },
  { extension: 'rs', language: 'Rust' },
  { extension: 'kt', language: 'Kotlin' },
  { extension: 'swift', language: 'Swift' },
  { extension: 'sql', language: 'SQL' },
  { extension: 'css', language: 'CSS' },
  { extension: 'md', language: 'Markdown' },
  { extension: 'yaml', language: 'YAML' },
] as const;
export const TEAMS = ['Platform', 'Payments', 'Mobile', 'Data', 'Growth', 'Infrastructure', 'Design Systems'] as const;
export const FIRST_NAMES = [
  'Amara',
  'Ben',
  'Chloe',
  'Diego',
  'Elif',
  'Farah',
  'Goran',
  'Hana',
  'Ines',
  'Jonas',
  'Kofi',
  'Lena',
  'Mateo',
  'Noor',
  'Olga',
  'Priya',
  'Quentin',
  'Rosa',
  'Sven',
  'Tariq',
  'Uma',
  'Viktor',
  'Wanda',
  'Ximena',
  'Yuki',
  'Zoe',
  'Søren',
  'Łucja',
  'Chidi',
  'Mei',
] as const;
export const LAST_NAMES = [
  'Adeyemi',
  'Bianchi',
  'Castro',
  'Dubois',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Haddad',
  'Ivanova',
  'Jansen',
  'Kowalski',
  'Larsen',
  'Moreau',
  'Nakamura',
  'Oliveira',
  'Petrov',
  'Quispe',
  'Rossi',
  'Schmidt',
  'Tanaka',
  'Usman',
  'Vargas',
  'Wójcik',
  'Xu',
  'Yilmaz',
  'Zhang',
] as const;
