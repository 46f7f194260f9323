/** The state last announced to the admins, by topic, so that each change is announced once. */
interface StatusNoticeTable {
  topic: 'platform_key';
  state: 'refused' | 'accepted';
  since: string;
}

export type StatusTables = {
  statusNotices: StatusNoticeTable;
};
