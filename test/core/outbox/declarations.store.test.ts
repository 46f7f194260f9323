import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { namesNobody } from '../../../src/core/outbox/poster.ts';
import { markup } from '../../../src/core/base/text/markup.ts';
import {
  type MessageHandler,
  type MessageKind,
  type NewMessage,
  declareNamedMessage,
  declareSpreadMessage,
  declareSubscriptionMessage,
} from '../../../src/core/outbox/message-kind.ts';
import type { MessageDuties, WriteDecision } from '../../../src/core/outbox/message-duties.ts';
import { declareOwnerNotice } from '../../../src/core/outbox/owner-notices.ts';
import type { DatabaseTransaction } from '../../../src/core/store/tables.ts';

const payload = z.object({ cardId: z.string() });
const card = declareNamedMessage({ name: 'card', payload }, ['owner']);
const warning = declareSubscriptionMessage({ name: 'warning', payload }, 'manager');
const copies = declareSpreadMessage({ name: 'copies', payload });

const written: WriteDecision = { kind: 'send', message: namesNobody({ text: markup`Hello` }) };
const duties = {
  write: () => Promise.resolve(written),
  report: () => Promise.resolve([{ owner: null, what: 'The card' }]),
};

// Only the compiler reads the code below: an expected error that does not occur is an error of its own.

describe('the compiler refuses a kind of message', () => {
  test('without a payload', () => {
    expect(() => [
      // @ts-expect-error -- a payload is missing
      declareNamedMessage({ name: 'card' }, ['owner']),
      // @ts-expect-error -- a payload is missing
      declareSubscriptionMessage({ name: 'warning' }, 'manager'),
      // @ts-expect-error -- a payload is missing
      declareSpreadMessage({ name: 'copies' }),
      // @ts-expect-error -- a payload is missing
      declareOwnerNotice('notice'),
    ]).toBeTypeOf('function');
  });

  test('without recipients', () => {
    expect(() => [
      // @ts-expect-error -- the people are missing
      declareNamedMessage({ name: 'card', payload }),
      // @ts-expect-error -- the role is missing
      declareSubscriptionMessage({ name: 'warning', payload }),
      // @ts-expect-error -- there is no such role
      declareSubscriptionMessage({ name: 'warning', payload }, 'owner'),
    ]).toBeTypeOf('function');
  });

  test('without a report of its failure', () => {
    const { write, report } = duties;
    const stop = () => Promise.resolve(undefined);
    const spread = () => Promise.resolve('Sent without recipients.');
    expect(() => [
      // @ts-expect-error -- the report is missing
      card.handledBy({ write }),
      // @ts-expect-error -- the report is missing
      warning.handledBy({ write, stop }),
      // @ts-expect-error -- the report is missing
      copies.handledBy({ spread }),
      // @ts-expect-error -- a report says who learns of it
      card.handledBy({ write, report: () => Promise.resolve([{ what: 'The card' }]) }),
      // @ts-expect-error -- nothing is not a report
      card.handledBy({ write, report: () => Promise.resolve() }),
      card.handledBy({ write, report }),
    ]).toBeTypeOf('function');
  });

  test('of a subscription that is never stopped', () => {
    expect(() => [
      // @ts-expect-error -- the end of the subscription is missing
      warning.handledBy(duties),
      warning.handledBy({ ...duties, stop: () => Promise.resolve(undefined) }),
    ]).toBeTypeOf('function');
  });

  test('without the people whose figures it shows', () => {
    const message = { text: markup`Hello` };
    expect(() => [
      // @ts-expect-error -- the names are missing
      card.handledBy({ ...duties, write: () => Promise.resolve({ kind: 'send', message }) }),
    ]).toBeTypeOf('function');
  });

  test('that was not declared', () => {
    const prepare = () => Promise.resolve(written);
    // @ts-expect-error -- only a declared kind makes a handler
    expect((): MessageHandler => ({ name: 'card', ...duties, prepare })).toBeTypeOf('function');
  });
});

describe('the compiler refuses a message', () => {
  const note = declareNamedMessage({ name: 'note', payload: z.object({ text: z.string() }) }, ['owner']);
  const notice = declareOwnerNotice('notice', payload);
  const at = new Date('2026-03-02T08:00:00Z');
  const ofCard: NewMessage<z.infer<typeof payload>> = { key: 'card', to: 'U1', payload: { cardId: '1' } };

  test('with the payload of another kind', () => {
    expect(() => (trx: DatabaseTransaction) => [
      card.enqueue(trx, ofCard, at),
      // @ts-expect-error -- it is the payload of a card
      note.enqueue(trx, ofCard, at),
      // @ts-expect-error -- it is the payload of a card
      note.enqueueAll(trx, [ofCard], at),
      // @ts-expect-error -- it is the payload of a card
      note.enqueueSkipped(trx, ofCard, at, 'No reason.'),
      // @ts-expect-error -- it is the payload of a note
      notice.notify(trx, null, { key: 'notice', payload: { text: 'Hello' } }, at),
      // @ts-expect-error -- it is the payload of a note
      notice.about({ text: 'Hello' }),
    ]).toBeTypeOf('function');
  });

  test('of a kind that replaces another one', () => {
    expect(() => {
      // @ts-expect-error -- a card is no note
      const other: MessageKind<{ text: string }> = card;
      // @ts-expect-error -- what a card does is not what a note does
      const otherDuties: MessageDuties<{ text: string }> = { ...duties, follows: follow };
      return [other, otherDuties];
    }).toBeTypeOf('function');
  });
});

const follow = ({ cardId }: z.infer<typeof payload>) => ({ key: cardId, what: 'card', as: 'edit' as const });
