import { withPseudonyms, type Pseudonyms } from '../base/privacy/pseudonyms.ts';
import type { Analytics } from './endpoints/analytics.ts';
import type { Envelope, TokensRow } from './endpoints/analytics-rows.ts';
import type { Controls, EnterpriseControlChange } from './endpoints/controls.ts';
import { mapTexts, type JsonObject } from './redaction/json.ts';

/** Replaces erased people in answers, so that no later code sees them, while sums over people stay correct. */
export function pseudonymizedAnalytics(analytics: Analytics, pseudonyms: Pseudonyms): Analytics {
  const person = <Row extends PersonRow>(row: Row): Row => withoutErased(row, pseudonyms);
  const withoutErasedTokens = (answer: Envelope<TokensRow>): Envelope<TokensRow> =>
    pseudonyms.isEmpty()
      ? answer
      : { ...answer, data: answer.data.map((row) => ({ ...row, by_user: row.by_user.map((each) => person(each)) })) };
  return {
    ...analytics,
    tokens: async (period, options) => withoutErasedTokens(await analytics.tokens(period, options)),
    changedTokens: async (period, seen, options) => {
      const { body, answer } = await analytics.changedTokens(period, seen, options);
      return { body, answer: answer && withoutErasedTokens(answer) };
    },
    users: async (query, options) => {
      const answer = await analytics.users(query, options);
      return { ...answer, data: answer.data.map((row) => person(row)) };
    },
    userPages: async function* (period, options) {
      for await (const page of analytics.userPages(period, options)) yield page.map((row) => person(row));
    },
  };
}

interface PersonRow {
  user_id: string;
  user_email: string | null;
}

function withoutErased<Row extends PersonRow>(row: Row, pseudonyms: Pseudonyms): Row {
  if (pseudonyms.isEmpty()) return row;
  const email = row.user_email === null ? undefined : pseudonyms.find({ kind: 'email', value: row.user_email });
  const userId = pseudonyms.find({ kind: 'userId', value: row.user_id });
  if (email === undefined && userId === undefined) return row;
  // If only the id or only the e-mail is known as erased, the other one is replaced too.
  const id = userId ?? email ?? '';
  return { ...row, user_id: id, user_email: row.user_email === null ? null : (email ?? `${id}@erased.invalid`) };
}

/** The authors of changes, and people in the settings. */
export function pseudonymizedControls(controls: Controls, pseudonyms: Pseudonyms): Controls {
  return {
    redactStored: (settings) => controls.redactStored(settings),
    history: async (query, options) => {
      const page = await controls.history(query, options);
      return { ...page, changes: page.changes.map((change) => withoutErasedIn(change, pseudonyms)) };
    },
    eachChange: async function* (query, options) {
      for await (const change of controls.eachChange(query, options)) yield withoutErasedIn(change, pseudonyms);
    },
  };
}

export function withoutErasedIn(change: EnterpriseControlChange, pseudonyms: Pseudonyms): EnterpriseControlChange {
  if (pseudonyms.isEmpty()) return change;
  const { user } = change;
  const email = user?.email ? pseudonyms.find({ kind: 'email', value: user.email }) : undefined;
  const id = user?.id ? pseudonyms.find({ kind: 'userId', value: user.id }) : undefined;
  const isErased = email !== undefined || id !== undefined;
  return {
    ...change,
    settings: pseudonymizedSettings(change.settings, pseudonyms),
    user: isErased && user ? { id: id ?? email ?? null, email: email ?? null, name: 'Erased person' } : user,
  };
}

/** Stored settings go through it too, so that both stay equal. */
export function pseudonymizedSettings(settings: JsonObject, pseudonyms: Pseudonyms): JsonObject {
  return pseudonyms.isEmpty() ? settings : mapTexts(settings, (text) => withPseudonyms(text, pseudonyms));
}
