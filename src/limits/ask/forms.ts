import { z } from 'zod';
import type { Form } from '../../slack/interactions.ts';
import type { LimitDeps } from '../core/deps.ts';
import type { CardPlace } from '../core/notify.ts';
import { ASK_FORM, formSchema, SEND_FORM } from './form.ts';
import { sendDraft, submitInput } from './handlers.ts';
import { readInput } from './input.ts';

export function askForms(deps: LimitDeps, cardPlace: () => Promise<CardPlace>): Form[] {
  return [
    {
      callbackId: ASK_FORM,
      role: 'member',
      read: (state, metadata, now) => {
        const form = formSchema.parse(JSON.parse(metadata));
        const { input, problems } = readInput(state, form.isForOthers, now);
        // Slack shows a fault at an input only.
        if (Object.keys(problems).length > 0) return { kind: 'errors', errors: problems };
        return {
          kind: 'accepted',
          working: 'Checking it …',
          run: (interaction, opened) => submitInput(deps, cardPlace, { form, input }, interaction, opened),
        };
      },
    },
    {
      callbackId: SEND_FORM,
      role: 'member',
      read: (_state, metadata) => {
        const draftId = z.string().max(100).parse(metadata);
        return {
          kind: 'accepted',
          working: 'Sending it …',
          run: (interaction, opened) => sendDraft(deps, cardPlace, draftId, interaction, opened),
        };
      },
    },
  ];
}
