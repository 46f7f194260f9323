export interface Column<Row, Cell = string | number> {
  title: string;
  cell: (row: Row) => Cell;
}
