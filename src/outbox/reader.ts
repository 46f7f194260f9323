import { hasRole, type ReaderRefusal, type Role } from '../base/roles.ts';

/** The reader of a direct message, as they are when it is sent. */
export interface PersonReader {
  kind: 'person';
  slackId: string;
  name: string;
  /** In lower case. */
  email: string | undefined;
  role: Role;
  /** Whether they may see figures of single people by name. */
  seesPeople: boolean;
  timeZone: string;
}

/** Everyone in a channel. */
export interface ChannelReader {
  kind: 'channel';
  channel: string;
  /** Whether managers may see figures of single people. If so, the channel for decisions may show them. */
  managersSeePeople: boolean;
}

/** The reader of a message, resolved when the message is sent. */
export type Reader = PersonReader | ChannelReader;

export type ReaderResolution = Reader | { kind: 'refused'; reason: ReaderRefusal };

/** Why a person may no longer read a subscription. */
export type LossReason = ReaderRefusal | 'role';

/** A person who may no longer read a subscription that goes to them. */
export interface LostReader {
  slackId: string;
  reason: LossReason;
  neededRole: Role;
}

/** Whether an address of a delivery is a person rather than a channel. @example isPersonAddress('U1') // true */
export const isPersonAddress = (address: string): boolean => /^[UW]/.test(address);

/** Whether a person may no longer read a subscription; undefined if they may, and for channels. Pure. */
export function findLoss(slackId: string, reader: ReaderResolution, neededRole: Role): LostReader | undefined {
  if (reader.kind === 'channel') return undefined;
  if (reader.kind === 'refused') return { slackId, reason: reader.reason, neededRole };
  return hasRole(reader.role, neededRole) ? undefined : { slackId, reason: 'role', neededRole };
}
