import { anyBlock, type AnyBlock } from './blocks.ts';
import { checkSurface, type Surface } from './surfaces.ts';
import { toViolations, violation, type Violation } from './violation.ts';
import { isObject } from './walk.ts';
import { checkWhole } from './payload-limits.ts';
import { z } from 'zod';
import { plainText } from './composition.ts';

const common = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(3000).optional(),
  callback_id: z.string().max(255).optional(),
  external_id: z.string().max(255).optional(),
};

/** Blocks are checked separately. Views: https://docs.slack.dev/reference/views */
const viewFrame = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('modal'),
    ...common,
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('home'), ...common }),
]);

/** Slack refuses a larger view with `view_too_large`. */
const MAX_VIEW_BYTES = 250 * 1024;

export { countMessageCharacters, MESSAGE_CHARACTERS_BUDGET } from './characters.ts';
export { blockSurfaces, type Surface } from './surfaces.ts';
export type { Violation } from './violation.ts';

/**
 * Runs before blocks are sent, because one broken rule loses the whole message. Some blocks are allowed in messages
 * only.
 *
 * @returns every broken rule, first to last; empty if Slack would accept it
 * @example
 * checkBlocks([{ type: 'divider', colour: 'red' }], 'message');
 * // [{ pointer: '/blocks/0', message: 'invalid additional property: colour', code: 'unknown_key' }]
 */
export function checkBlocks(blocks: unknown, surface: Surface): Violation[] {
  if (!Array.isArray(blocks)) return [violation(['blocks'], 'wrong_type', 'must provide an array')];
  const list: unknown[] = blocks;
  const violations: Violation[] = [];
  const valid: AnyBlock[] = [];
  for (const [index, block] of list.entries()) {
    const parsed = anyBlock.safeParse(block, { reportInput: true });
    if (parsed.success) valid[index] = parsed.data;
    else violations.push(...parsed.error.issues.flatMap((issue) => toViolations(issue, ['blocks', index])));
  }
  return [...violations, ...checkSurface(valid, surface), ...checkWhole(list, surface)];
}

/**
 * Checks a modal or an App Home view. Pointers are relative to the view (`/title/text`, `/blocks/0/label`).
 *
 * @example checkView({ type: 'modal', title: { type: 'plain_text', text: 'Limits' }, blocks: [] }); // []
 */
export function checkView(view: unknown): Violation[] {
  if (!isObject(view)) return [violation([], 'wrong_type', 'must provide an object')];
  const frame = viewFrame.safeParse(view, { reportInput: true });
  const violations = frame.success ? [] : frame.error.issues.flatMap((issue) => toViolations(issue, []));
  const surface = view['type'] === 'home' ? 'home' : 'modal';
  const blocks = view['blocks'];
  if (Array.isArray(blocks)) violations.push(...checkBlocks(blocks, surface), ...checkSubmit(view, blocks));
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW_BYTES) {
    violations.push(violation([], 'view_too_large', 'must be less than 250 KB'));
  }
  return violations;
}

function checkSubmit(view: Record<string, unknown>, blocks: readonly unknown[]): Violation[] {
  if (view['type'] !== 'modal' || view['submit'] !== undefined) return [];
  if (!blocks.some((block) => isObject(block) && block['type'] === 'input')) return [];
  return [violation([], 'missing', 'missing required field: submit')];
}
