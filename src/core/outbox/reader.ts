import { hasRole, type ReaderRefusal, type Role } from '../base/roles.ts';

/** The reader of a direct message, as they are when it is sent. */
export interface PersonReader {
  kind: 'person';
  slackId: string;
  name: string;
  /** In lower case. */
  email: string | undefined;
  role: Role;
  /** Slack refuses a user group of the settings, which may give them a higher role. */
  isRoleUnsure?: boolean;
  /** Whether they may see figures of single people by name. */
  seesPeople: boolean;
  timeZone: string;
}

export interface ChannelReader {
  kind: 'channel';
  channel: string;
  /** Whether managers may see figures of single people. If so, the channel for decisions may show them. */
  managersSeePeople: boolean;
}

export type Reader = PersonReader | ChannelReader;

export type ReaderResolution = Reader | { kind: 'refused'; reason: ReaderRefusal };

export type LossReason = ReaderRefusal | 'role';

export interface LostReader {
  slackId: string;
  reason: LossReason;
  neededRole: Role;
}

/** @example isPersonAddress('U1') // true; a channel is no person */
export const isPersonAddress = (address: string): boolean => /^[UW]/.test(address);

/** Slack’s answer says nothing about the person: it may not show an account or a group that it shows again later. Pure. */
export const mayPass = ({ reason }: LostReader, reader: ReaderResolution): boolean =>
  reason === 'unknown' || (reason === 'role' && reader.kind === 'person' && reader.isRoleUnsure === true);

/** Undefined if they may still read the subscription, and for channels. Pure. */
export function findLoss(slackId: string, reader: ReaderResolution, neededRole: Role): LostReader | undefined {
  if (reader.kind === 'channel') return undefined;
  if (reader.kind === 'refused') return { slackId, reason: reader.reason, neededRole };
  return hasRole(reader.role, neededRole) ? undefined : { slackId, reason: 'role', neededRole };
}
