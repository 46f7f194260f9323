/** Interprets the tables of this folder: one function for each kind of shape, and one for each rule about several members. */
import { isJson, objectsIn, type Json } from '../../json.ts';
import type { Members, Rule, Shape, Types } from './shape.ts';

/** A broken rule, in the words of `response_metadata.messages`. */
export interface Fault {
  /** A JSON pointer, such as `/blocks/1/text/text`. */
  pointer: string;
  message: string;
}

/** @returns every broken rule of a value; empty if Slack takes it */
export function faultsOf(value: unknown, shape: Shape, pointer: string): Fault[] {
  const fault = (message: string): Fault[] => [{ pointer, message }];
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string' ? stringFault(value, shape).flatMap(fault) : fault('must provide a string');
    case 'number':
      return typeof value === 'number' ? numberFault(value, shape).flatMap(fault) : fault('must provide a number');
    case 'positive number':
      if (typeof value !== 'number') return fault('must provide a number');
      return value > 0 ? [] : fault('must be more than 0');
    case 'boolean':
      return typeof value === 'boolean' ? [] : fault('must provide a boolean');
    case 'choice':
      return shape.values.some((one) => one === value) ? [] : fault(`must be one of: ${shape.values.join(', ')}`);
    case 'list':
      return Array.isArray(value) ? listFaults(value, shape, pointer) : fault('must provide an array');
    case 'object':
      return isJson(value) ? memberFaults(value, shape.members, pointer) : fault('must provide an object');
    case 'typed':
      return isJson(value) ? typedFaults(value, shape.types, pointer) : fault('must provide an object');
    case 'null or':
      return value === null ? [] : faultsOf(value, shape.shape, pointer);
    default:
      return shape satisfies never;
  }
}

type Kind<Name extends Shape['kind']> = Extract<Shape, { kind: Name }>;

// Slack says "characters". Whether it counts some of them twice, as this does, is not known.
function stringFault(value: string, { min, max, format }: Kind<'string'>): string[] {
  if (value.length < min) return [`must be more than ${min - 1} characters`];
  if (value.length > max) return [`must be less than ${max + 1} characters`];
  return format && !format.pattern.test(value) ? [`must be ${format.description}`] : [];
}

function numberFault(value: number, { min, max, isWhole }: Kind<'number'>): string[] {
  if (isWhole && !Number.isInteger(value)) return ['must provide an integer'];
  if (value < min) return [`must be at least ${min}`];
  return value > max ? [`must be no more than ${max}`] : [];
}

function listFaults(items: readonly unknown[], { of, min, max }: Kind<'list'>, pointer: string): Fault[] {
  const inside = items.flatMap((item, index) => faultsOf(item, of, `${pointer}/${index}`));
  if (items.length < min) return [{ pointer, message: `no fewer than ${min} items required` }];
  return items.length > max ? [{ pointer, message: `no more than ${max} items allowed` }, ...inside] : inside;
}

function typedFaults(value: Json, types: Types, pointer: string): Fault[] {
  const { type, ...rest } = value;
  if (type === undefined) return [{ pointer, message: 'missing required field: type' }];
  const members = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
  return members ? memberFaults(rest, members, pointer) : [unsupported(type, pointer)];
}

export const unsupported = (type: unknown, pointer: string): Fault => ({
  pointer: `${pointer}/type`,
  message: `unsupported type: ${typeof type === 'string' ? type : JSON.stringify(type)}`,
});

function memberFaults(value: Json, { needs = {}, may = {}, rules = [] }: Members, pointer: string): Fault[] {
  const known = new Map(Object.entries({ ...may, ...needs }));
  return [
    ...Object.keys(needs)
      .filter((name) => value[name] === undefined)
      .map((name) => ({ pointer, message: `missing required field: ${name}` })),
    ...Object.entries(value).flatMap(([name, member]): Fault[] => {
      const shape = known.get(name);
      if (!shape) return [{ pointer, message: `invalid additional property: ${name}` }];
      return member === undefined ? [] : faultsOf(member, shape, `${pointer}/${name}`);
    }),
    ...rules.flatMap((rule) => ruleFaults(value, rule, pointer)),
  ];
}

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' or ');

function ruleFaults(value: Json, rule: Rule, pointer: string): Fault[] {
  const has = (name: string) => value[name] !== undefined;
  switch (rule.rule) {
    case 'at least one':
      return rule.of.some(has) ? [] : [{ pointer, message: `must define either ${quoted(rule.of)}` }];
    case 'at most one':
      return rule.of.filter(has).length <= 1 ? [] : [{ pointer, message: `must define only ${quoted(rule.of)}` }];
    case 'offered':
      return isOffered(value, rule.member)
        ? []
        : [{ pointer: `${pointer}/${rule.member}`, message: 'must be among the options' }];
    case 'not above':
      return Number(value[rule.low]) > Number(value[rule.high])
        ? [{ pointer: `${pointer}/${rule.low}`, message: `must be no more than ${rule.high}` }]
        : [];
    case 'only with':
      return value[rule.member] === true && value[rule.switch] !== true
        ? [{ pointer: `${pointer}/${rule.member}`, message: `needs ${rule.switch}` }]
        : [];
    case 'not while': {
      const element = value[rule.member];
      const isRefused = value[rule.switch] === true && isJson(element) && element['type'] === rule.type;
      return isRefused ? [unsupported(rule.type, `${pointer}/${rule.member}`)] : [];
    }
    case 'rows of equal length':
      return unequalRows(value, pointer);
    case 'first row without': {
      const [first] = listsIn(value['rows']);
      return (first ?? []).flatMap((cell, index) =>
        isJson(cell) && cell['type'] === rule.type ? [unsupported(rule.type, `${pointer}/rows/0/${index}`)] : [],
      );
    }
    case 'one point for each category':
      return chartFaults(value, pointer);
    default:
      return rule satisfies never;
  }
}

const listsIn = (value: unknown): unknown[][] =>
  Array.isArray(value) ? value.filter((item) => Array.isArray(item)) : [];

/** Whether the members of two values are equal, in any order. */
function isEqual(one: unknown, other: unknown): boolean {
  if (!isJson(one) || !isJson(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isEqual(one[name], other[name]));
}

function isOffered(element: Json, member: string): boolean {
  const initial = element[member];
  const groups = objectsIn(element['option_groups']).flatMap((group) => objectsIn(group['options']));
  const offered = [...objectsIn(element['options']), ...groups];
  const chosen = Array.isArray(initial) ? initial : initial === undefined ? [] : [initial];
  return chosen.every((one) => offered.some((option) => isEqual(option, one)));
}

function unequalRows(table: Json, pointer: string): Fault[] {
  const rows = listsIn(table['rows']);
  const width = rows[0]?.length ?? 0;
  return rows.flatMap((row, index) =>
    row.length === width
      ? []
      : [{ pointer: `${pointer}/rows/${index}`, message: `must have as many cells as the header: ${width}` }],
  );
}

function chartFaults(chart: Json, pointer: string): Fault[] {
  const axis = chart['axis_config'];
  const categories = isJson(axis) && Array.isArray(axis['categories']) ? axis['categories'] : [];
  const series = objectsIn(chart['series']);
  const names = series.map(({ name }) => name);
  const isEachOnce = (labels: readonly unknown[]) =>
    labels.length === categories.length && categories.every((category) => labels.includes(category));
  return [
    ...(new Set(categories).size < categories.length
      ? [{ pointer: `${pointer}/axis_config/categories`, message: 'must be unique' }]
      : []),
    ...series.flatMap(({ name, data }, index): Fault[] => [
      ...(names.indexOf(name) < index
        ? [{ pointer: `${pointer}/series/${index}/name`, message: 'must be unique' }]
        : []),
      ...(isEachOnce(objectsIn(data).map(({ label }) => label))
        ? []
        : [{ pointer: `${pointer}/series/${index}/data`, message: 'must have exactly one point for each category' }]),
    ]),
  ];
}
