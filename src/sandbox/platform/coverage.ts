import type { Edition } from './model/edition.ts';

/** The simulator's support for one operation of the API document, or for one of its parameters. */
export interface CoverageRow {
  /** Method and path template, as in the router. */
  operation: string;
  /** Missing: the operation itself. */
  parameter?: string;
  /** The only edition that has it; missing: both. */
  edition?: Edition;
  support: 'full' | 'partial';
  /** The simulator's own choices for questions that the document leaves open. */
  note?: string;
  /** Title of a test that exercises it. */
  test: string;
}

const DATES = 'GET /api/v1/analytics/';
const REPORTS = 'GET /api/organization/maturity-level-reports';
const TODAYS_REPORTS = 'GET /api/organization/agent-readiness-reports';
const HISTORY = 'GET /api/v0/organization/enterprise-controls/history';
const MESSAGES = 'GET /api/v0/sessions/{sessionId}/messages';
const CREATE = 'POST /api/v0/computers';
const LIMITS_IN_FORCE = 'GET /api/v0/organization/usage/limits/users';
const MEMBERS = 'GET /api/v0/organization/users';
const LIMITS = 'PUT /api/v0/organization/usage/limits/users';

const REFUSED_DAYS = '%s with 400';
const REFUSED_GROUPS = 'an unknown group_by with 400';
const REFUSED_COMPUTERS = 'are not created with %s';

function dates(resource: string): CoverageRow[] {
  const operation = DATES + resource;
  const note = 'A start before the first day, and an end before the start, are 400.';
  return [
    { operation, parameter: 'startDate', support: 'full', note, test: REFUSED_DAYS },
    { operation, parameter: 'endDate', support: 'full', test: REFUSED_DAYS },
  ];
}

export const COVERAGE: readonly CoverageRow[] = [
  { operation: `${DATES}tokens`, support: 'full', test: 'answer credits by day, by model and by person' },
  ...dates('tokens'),
  { operation: `${DATES}tokens`, parameter: 'group_by', support: 'full', test: REFUSED_GROUPS },
  {
    operation: `${DATES}tools`,
    support: 'full',
    test: 'answer tools by day, and group_by=tool_name with one row for each day and tool',
  },
  ...dates('tools'),
  { operation: `${DATES}tools`, parameter: 'group_by', support: 'full', test: REFUSED_GROUPS },
  {
    operation: `${DATES}activity`,
    support: 'full',
    note: 'A day that is not published counts in the weeks and months of the days after it.',
    test: 'answer activity by day, and group_by=client with one row for each day and client',
  },
  ...dates('activity'),
  { operation: `${DATES}activity`, parameter: 'group_by', support: 'full', test: REFUSED_GROUPS },
  { operation: `${DATES}productivity`, support: 'full', test: 'answer productivity by day' },
  ...dates('productivity'),
  {
    operation: `${DATES}users`,
    support: 'full',
    note: 'Ordered by user id; a page is a number of people, each with all their days.',
    test: 'answer every person once over all pages, with the credits of /tokens',
  },
  ...dates('users'),
  { operation: `${DATES}users`, parameter: 'limit', support: 'full', test: 'a page of "%s" people with 400' },
  {
    operation: `${DATES}users`,
    parameter: 'cursor',
    support: 'full',
    note: 'The id of the last person of the page before.',
    test: 'answer people page by page, in pages of 20 unless another limit is requested',
  },
  {
    operation: REPORTS,
    edition: 'contract',
    support: 'full',
    note: 'Newest first; criterion ids and the error body are made up.',
    test: 'come newest first, page after page, each once',
  },
  {
    operation: REPORTS,
    edition: 'contract',
    parameter: 'repoId',
    support: 'full',
    test: 'can be requested by repository, and one of them got worse',
  },
  {
    operation: REPORTS,
    edition: 'contract',
    parameter: 'limit',
    support: 'full',
    note: '25 if left out.',
    test: 'refuse a limit that is not positive, and an unknown startAfter',
  },
  {
    operation: REPORTS,
    edition: 'contract',
    parameter: 'startAfter',
    support: 'full',
    note: 'An id that the list does not hold is 400.',
    test: 'refuse a limit that is not positive, and an unknown startAfter',
  },
  {
    operation: TODAYS_REPORTS,
    edition: 'today',
    support: 'full',
    note: 'There is no other address of them then.',
    test: 'have another address today, and some of 81 criteria are skipped',
  },
  ...['repoId', 'limit', 'startAfter'].map((parameter): CoverageRow => ({
    operation: TODAYS_REPORTS,
    edition: 'today',
    parameter,
    support: 'full',
    test: 'can be filtered and paged at their address of today',
  })),
  {
    operation: HISTORY,
    support: 'full',
    note: 'For managers only; errors look like those of analytics.',
    test: 'comes newest revision first, page after page',
  },
  { operation: HISTORY, parameter: 'limit', support: 'full', note: '20 if left out.', test: 'refuses %s with 400' },
  { operation: HISTORY, parameter: 'cursor', support: 'full', test: 'refuses %s with 400' },
  {
    operation: MESSAGES,
    support: 'full',
    note: 'Oldest first; for every key. Messages show no role, as the document shows none.',
    test: 'come in pages of 20 unless another limit is requested, each once',
  },
  { operation: MESSAGES, parameter: 'sessionId', support: 'full', test: 'of an unknown session are 404' },
  { operation: MESSAGES, parameter: 'limit', support: 'full', test: 'can be requested by role and from a computer' },
  { operation: MESSAGES, parameter: 'cursor', support: 'full', test: 'can be requested by role and from a computer' },
  {
    operation: MESSAGES,
    parameter: 'computerId',
    support: 'partial',
    note: 'An unknown computer is 404; any other answers what the platform would.',
    test: 'can be requested by role and from a computer',
  },
  { operation: MESSAGES, parameter: 'role', support: 'full', test: 'can be requested by role and from a computer' },
  {
    operation: CREATE,
    support: 'full',
    note: 'Names need not differ. A name with "fail" or "broken" in it fails its first installation.',
    test: 'move through their steps as time passes',
  },
  ...['name', 'remoteUser', 'provider', 'hostId', 'repos'].map((parameter): CoverageRow => ({
    operation: CREATE,
    parameter,
    support: 'full',
    test: REFUSED_COMPUTERS,
  })),
  {
    operation: CREATE,
    parameter: 'autoInstallDeps',
    support: 'full',
    note: 'true if left out.',
    test: 'without an installation are active without that step',
  },
  {
    operation: 'GET /api/v0/computers',
    support: 'full',
    note: 'One page: filters and pagination are not shown.',
    test: 'are listed and shown, in every status and of both kinds',
  },
  {
    operation: 'GET /api/v0/computers',
    parameter: 'includeProvisioningSteps',
    edition: 'today',
    support: 'full',
    test: 'shows steps of computers only on request, and has one account on managed machines',
  },
  {
    operation: 'GET /api/v0/computers/{computerId}',
    support: 'full',
    test: 'are listed and shown, in every status and of both kinds',
  },
  {
    operation: 'GET /api/v0/computers/{computerId}',
    parameter: 'computerId',
    support: 'full',
    note: 'An unknown computer is 404.',
    test: 'with an unknown id are 404',
  },
  {
    operation: 'POST /api/v0/computers/{computerId}/install-deps',
    support: 'full',
    note: 'Begins the step again, whatever the status was.',
    test: 'with a failed installation can repeat it',
  },
  {
    operation: 'POST /api/v0/computers/{computerId}/install-deps',
    parameter: 'computerId',
    support: 'full',
    test: 'with an unknown id are 404',
  },
  {
    operation: LIMITS,
    support: 'full',
    note: 'For managers only.',
    test: 'are stored for known people and refused for others',
  },
  {
    operation: LIMITS,
    parameter: 'users',
    support: 'full',
    note: 'Letter case makes no difference; the error text is made up.',
    test: 'of %s are refused with 400',
  },
  {
    operation: LIMITS_IN_FORCE,
    edition: 'today',
    support: 'full',
    test: 'can be read today, and removed',
  },
  {
    operation: MEMBERS,
    edition: 'today',
    support: 'full',
    note: 'They sign in on the days on which they are active.',
    test: 'are listed today, in pages',
  },
  { operation: MEMBERS, parameter: 'limit', edition: 'today', support: 'full', test: 'are listed today, in pages' },
  { operation: MEMBERS, parameter: 'cursor', edition: 'today', support: 'full', test: 'are listed today, in pages' },
];
