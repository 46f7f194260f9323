import type { Sandbox } from '../context.ts';
import { isJson, objectsIn, textOf, type Json } from '../../json.ts';
import type { Block } from '../model/workspace.ts';
import { blockFaults, isTextTooLong, isViewTooLarge, viewFaults, type Fault } from '../reference/payload.ts';

/** A refusal of blocks: Slack's error code and its lines in `response_metadata.messages`. */
export interface Refusal {
  code: string;
  messages: string[];
}

type CheckResult<Value> = { value: Value } | { refusal: Refusal };

function refuse(faults: readonly Fault[], prefix: string, code: string): { refusal: Refusal } {
  const line = ({ message, pointer }: Fault) => `[ERROR] ${message} [json-pointer:${prefix}${pointer}]`;
  const first = /^\/blocks\/\d+/.exec(faults[0]?.pointer ?? '')?.[0];
  const opening = first === undefined ? [] : [{ message: 'failed to match all allowed schemas', pointer: first }];
  return { refusal: { code, messages: [...opening, ...faults].map(line) } };
}

/** Checks the blocks of a message; `hasBudget: false`: without the hidden text budget, as for response URLs. */
export function checkMessageBlocks(sandbox: Sandbox, blocks: unknown, { hasBudget = true } = {}): CheckResult<Block[]> {
  if (!Array.isArray(blocks)) return { refusal: { code: 'invalid_blocks_format', messages: [] } };
  const faults = [...blockFaults(blocks, 'message'), ...unsupported(sandbox, blocks)];
  if (faults.length > 0) return refuse(faults, '', 'invalid_blocks');
  if (hasBudget && isTextTooLong(blocks)) return { refusal: { code: 'msg_blocks_too_long', messages: [] } };
  return { value: objectsIn(blocks) };
}

// Workspaces got charts one after another; a workspace without them does not know the type.
function unsupported({ workspace }: Sandbox, blocks: unknown[]): Fault[] {
  const tables = workspace.largeTablesSupported ? [] : largeTables(blocks);
  if (workspace.chartsSupported) return tables;
  const charts = blocks.flatMap((block, index): Fault[] =>
    isJson(block) && block['type'] === 'data_visualization'
      ? [{ pointer: `/blocks/${index}/type`, message: 'unsupported type: data_visualization' }]
      : [],
  );
  return [...tables, ...charts];
}

/** Returns what breaks the older limits: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
function largeTables(blocks: unknown[]): Fault[] {
  const tables = blocks.flatMap((block, index) =>
    isJson(block) && block['type'] === 'data_table' && Array.isArray(block['rows'])
      ? [{ pointer: `/blocks/${index}/rows`, rows: block['rows'] }]
      : [],
  );
  const texts = tables.flatMap(({ rows }) => rows.flat()).map((cell) => (isJson(cell) ? textOf(cell['text']) : ''));
  const isTooLong = texts.join('').length > 10_000;
  return tables
    .filter(({ rows }, index) => index > 0 || rows.length > 100 || isTooLong)
    .map(({ pointer }) => ({ pointer, message: 'too large a table' }));
}

/** Checks a modal or home view; Slack's pointers start at `/view`. */
export function checkViewArgument(view: unknown, type: 'modal' | 'home'): CheckResult<Json> {
  if (!isJson(view))
    return {
      refusal: { code: 'invalid_arguments', messages: ['[ERROR] must provide an object [json-pointer:/view]'] },
    };
  if (isViewTooLarge(view)) return { refusal: { code: 'view_too_large', messages: [] } };
  const faults = viewFaults(view);
  if (faults.length > 0) return refuse(faults, '/view', 'invalid_arguments');
  if (view['type'] !== type) {
    return {
      refusal: { code: 'invalid_arguments', messages: [`[ERROR] must be one of: ${type} [json-pointer:/view/type]`] },
    };
  }
  return { value: view };
}
