/** What admins were told last about each thing that can break, so that each turn of it is told once. */
interface StatusNoticeTable {
  topic: 'platform_key';
  state: 'refused' | 'accepted';
  since: string;
}

export type StatusTables = {
  status_notices: StatusNoticeTable;
};
