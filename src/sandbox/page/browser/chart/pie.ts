import type { PieChart } from './chart-data.ts';
import type { Point } from './geometry.ts';

export interface Slice {
  label: string;
  value: number;
  share: number;
  path: string;
  /** Where a label of this slice starts to point from. */
  middle: Point;
}

/** The slices of a pie in a square of the given size: from the top, clockwise. */
export function layOutPie({ segments }: PieChart, size: number): Slice[] {
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  const centre = size / 2;
  const radius = centre - 4;
  let turned = 0;
  return segments.map(({ label, value }) => {
    const share = value / total;
    const from = turned;
    turned += share;
    return {
      label,
      value,
      share,
      path: share > 0.9999 ? circlePath(centre, radius) : slicePath(centre, radius, from, turned),
      middle: pointAt(centre, radius * 0.65, from + share / 2),
    };
  });
}

/** The point at a share of the whole turn. */
function pointAt(centre: number, radius: number, share: number): Point {
  const angle = share * 2 * Math.PI - Math.PI / 2;
  return { x: centre + radius * Math.cos(angle), y: centre + radius * Math.sin(angle) };
}

const rounded = (value: number) => Math.round(value * 100) / 100;
const at = ({ x, y }: Point) => `${rounded(x)},${rounded(y)}`;

function slicePath(centre: number, radius: number, from: number, to: number): string {
  const isLarge = to - from > 0.5 ? 1 : 0;
  const start = at(pointAt(centre, radius, from));
  const end = at(pointAt(centre, radius, to));
  return `M${centre},${centre}L${start}A${radius},${radius} 0 ${isLarge} 1 ${end}Z`;
}

/** A slice of a whole turn starts where it ends, which an arc cannot say: two halves. */
function circlePath(centre: number, radius: number): string {
  const top = at({ x: centre, y: centre - radius });
  const bottom = at({ x: centre, y: centre + radius });
  return `M${top}A${radius},${radius} 0 1 1 ${bottom}A${radius},${radius} 0 1 1 ${top}Z`;
}
