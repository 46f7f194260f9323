/** A column of a table or of a file: what stands above it, and what stands in it for each row. */
export interface Column<Row, Cell = string | number> {
  title: string;
  cell: (row: Row) => Cell;
}
