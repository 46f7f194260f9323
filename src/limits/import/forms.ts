import { z } from 'zod';
import type { Form } from '../../slack/interactions.ts';
import { sendDraft } from '../ask/handlers.ts';
import type { LimitDeps } from '../core/deps.ts';
import type { CardPlace } from '../core/notify.ts';
import { IMPORT_FORM, IMPORT_SEND_FORM, type ImportSource } from './form.ts';
import { showPreview } from './handlers.ts';

export function importForms(deps: LimitDeps, cardPlace: () => Promise<CardPlace>): Form[] {
  return [
    {
      callbackId: IMPORT_FORM,
      role: 'manager',
      read: (state) => {
        const text = state.text('list');
        const [fileId] = state.files('file');
        if (text === '' && fileId === undefined)
          return { kind: 'errors', errors: { list: 'Paste a list, or upload one.' } };
        if (text !== '' && fileId !== undefined)
          return { kind: 'errors', errors: { list: 'You pasted a list and uploaded one. Keep one of them.' } };
        const source: ImportSource = fileId === undefined ? { kind: 'text', text } : { kind: 'file', fileId };
        return {
          kind: 'accepted',
          working: 'Reading the list …',
          run: (interaction, opened) => showPreview(deps, source, interaction, opened),
        };
      },
    },
    {
      callbackId: IMPORT_SEND_FORM,
      role: 'manager',
      read: (state, metadata) => {
        const reason = state.text('reason');
        if (reason === '')
          return { kind: 'errors', errors: { reason: 'Say why: it’s the first thing that admins read.' } };
        const draftId = z.string().max(100).parse(metadata);
        return {
          kind: 'accepted',
          working: 'Sending it …',
          run: (interaction, opened) => sendDraft(deps, cardPlace, draftId, interaction, opened, { reason }),
        };
      },
    },
  ];
}
