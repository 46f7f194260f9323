import type { Interactions, ClickAction, Form, SlashCommand } from '../interactions/interactions.ts';

/** The handlers of the features, by the names that Slack sends. */
export interface HandlersByName {
  commands: ReadonlyMap<string, SlashCommand>;
  actions: ReadonlyMap<string, ClickAction>;
  forms: ReadonlyMap<string, Form>;
}

export function indexHandlers(features: readonly Interactions[]): HandlersByName {
  return {
    commands: new Map(features.flatMap(({ commands = [] }) => commands.map((one) => [one.help.command, one]))),
    actions: new Map(features.flatMap(({ actions = [] }) => actions.map((one) => [one.actionId, one]))),
    forms: new Map(features.flatMap(({ forms = [] }) => forms.map((one) => [one.callbackId, one]))),
  };
}
