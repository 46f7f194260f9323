/** The types of blocks that the page draws. A test compares them with the table of what the sandbox covers. */
export const DRAWN_BLOCKS = [
  'actions',
  'context',
  'data_table',
  'data_visualization',
  'divider',
  'header',
  'input',
  'rich_text',
  'section',
] as const;
