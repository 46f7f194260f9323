import { localImports, type SourceFile } from './sources.ts';

/**
 * Groups of files that import each other in a circle, types included (Tarjan's strongly connected components).
 *
 * @returns each group by the paths of its files
 */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const imports = new Map(files.map((file) => [file.path, localImports(file)]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.size - 1);
    stack.push(path);
    for (const target of imports.get(path) ?? []) {
      if (!imports.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1) circles.push(group.toSorted());
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return circles;
}
