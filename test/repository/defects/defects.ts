/** A mistake that a developer could make in one place of the sources. */
export interface Defect {
  what: string;
  path: string;
  /** Occurs there once. */
  text: string;
  instead: string;
}

/** The defects that the daily tests must detect. Each breaks a different promise. */
export const DEFECTS: readonly Defect[] = [
  {
    what: 'a lease counts as over an hour before it is, so two replicas send the same',
    path: 'src/core/store/lease.ts',
    text: 'is null or ${lease} <= ${storeNow(store)} or',
    instead: 'is null or ${lease} <= ${storeNow(store, 3_600_000)} or',
  },
  {
    what: 'a period is compared with the one that ends a day too early',
    path: 'src/core/analytics/period.ts',
    text: 'last: plusDays(period.last, -shift) };',
    instead: 'last: plusDays(period.last, -shift - 1) };',
  },
  {
    what: 'any user may create a computer',
    path: 'src/features/computers/computer-handlers.ts',
    text: 'const role = deps.config.computersRole;',
    instead: "const role = 'member' as const;",
  },
  {
    what: 'a request over HTTP is taken although its signature is not Slack’s',
    path: 'src/core/slack/receivers/signed-body.ts',
    text: 'if (!isSigned({ ...admission, body })) throw',
    instead: 'if (!isSigned({ ...admission, body }) && body.length === 0) throw',
  },
  {
    what: 'a request that another admin has decided in the meantime is decided again',
    path: 'src/features/limits/decide/decide.ts',
    text: '{ id: request.id, state: request.state, version: request.version }',
    instead: '{ id: request.id }',
  },
  {
    what: 'a connection string with a password in it is shown',
    path: 'src/core/platform/redaction/shown-address.ts',
    text: ' ?? showUserInfo(word, options);',
    instead: ';',
  },
  {
    what: 'a second delivery by Slack is carried out again',
    path: 'src/core/slack/inbound/seen-events.ts',
    text: 'return Boolean(inserted.numInsertedOrUpdatedRows);',
    instead: 'return Boolean(inserted.numInsertedOrUpdatedRows) || key !== "";',
  },
  {
    what: 'the share of a person is that of their own credits',
    path: 'src/features/usage/views/group-view.ts',
    text: 'formatShare(credits.value.value, organizationCredits.value.value)',
    instead: 'formatShare(credits.value.value, credits.value.value)',
  },
  {
    what: 'a digest is due by the clock of Greenwich, whatever zone was chosen',
    path: 'src/core/schedule/occurrences.ts',
    text: 'hours, minutes, 0, 0, schedule.zone);',
    instead: "hours, minutes, 0, 0, 'UTC');",
  },
  {
    what: 'the creation of a computer is sent again when its outcome is unknown',
    path: 'src/core/platform/transport/retry.ts',
    text: "new Set(['GET', 'PUT']);",
    instead: "new Set(['GET', 'PUT', 'POST']);",
  },
  {
    what: 'the admin who wrote a limit policy activates it although there is another admin',
    path: 'src/features/limit-policies/rules/policy-states.ts',
    text: "  if (!mayActAlone) return refused('own_draft');\n",
    instead: '',
  },
  {
    what: 'a limit policy acts alone although limits may be set elsewhere',
    path: 'src/features/limit-policies/rules/decide.ts',
    text: "  if (!facts.areLimitsOnlyHere) return { kind: 'prepare', ...granted };\n",
    instead: '',
  },
  {
    what: 'a limit policy raises a limit while the outcome of an earlier one is unknown',
    path: 'src/features/limit-policies/rules/decide.ts',
    text: "  if (facts.hasUnknownOutcome) return 'unknown_outcome';\n  if (facts.hasOpenRequest) return 'open_request';\n",
    instead: '',
  },
  {
    what: 'two replicas count the grants of limit policies at the same time',
    path: 'src/features/limit-policies/live/decide-request.ts',
    text: '  await takeTurn(trx);\n  const at =',
    instead: '  const at =',
  },
  {
    what: 'a limit policy grants one more than its cap of a day',
    path: 'src/features/limit-policies/rules/decide.ts',
    text: 'inDay.length + 1 > rules.grantsADay',
    instead: 'inDay.length > rules.grantsADay',
  },
  {
    what: 'a limit policy counts the percentage from a temporary limit',
    path: 'src/features/limit-policies/rules/decide.ts',
    text: 'amount > raised(permanent, rules)',
    instead: 'amount > raised(value, rules)',
  },
  {
    what: 'a limit policy that one admin paused no longer holds its people',
    path: 'src/features/limit-policies/rules/decide.ts',
    text: "if (policy.isHeld) return person('held', policy);",
    instead: "if (policy.isHeld) return person('no_policy', policy);",
  },
  {
    what: 'a request is sent although the limit policy that approved it was paused since',
    path: 'src/features/limit-policies/live/withhold.ts',
    text: 'return version.haltedAt === null || decision.at > version.haltedAt;',
    instead: "return version.haltedAt === null || decision.at > '';",
  },
  {
    what: 'the end of a raise is sent although another limit was set since',
    path: 'src/features/limits/decide/end-of-grant.ts',
    text: "  return isRaise ? 'left' : 'unsure';",
    instead: "  return isRaise ? 'left' : 'approved';",
  },
];
