/** A column of a table or of a file: its header, and its value in each row. */
export interface Column<Row, Cell = string | number> {
  title: string;
  cell: (row: Row) => Cell;
}
