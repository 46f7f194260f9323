import { actions, section, context, type Block } from '../../../core/slack/blocks/blocks.ts';
import { textInput } from '../../../core/slack/blocks/inputs.ts';
import { joinMarkup, markup, withRest, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatNumber, formatRanges } from '../../../core/base/text/numbers.ts';
import { modal, type ModalView } from '../../../core/slack/blocks/views.ts';
import { simulateButton } from '../core/limit-buttons.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { IMPORT_SEND_FORM, IMPORT_TITLE } from './import-form.ts';
import type { ImportLine, ReadList } from './parse.ts';
import type { KnownLimit } from '../../../core/figures/known-limit.ts';
import { currentLimitWords, WITHOUT_OWN } from '../core/person-text.ts';
import { MAX_REASON_LENGTH } from '../ask/input.ts';

type KnownLine = ImportLine & { from: number };

export interface Preview {
  /** People whose limit is not known. */
  fresh: readonly ImportLine[];
  /** People whose limit was declared, and not set here. */
  declared: readonly KnownLine[];
  changed: readonly KnownLine[];
  /** Lines that match the last limit set here, or the one that the platform shows, so there is nothing to request. */
  same: readonly ImportLine[];
  isShown: boolean;
  list: ReadList;
  /** Lines for people who are in other open requests. */
  openElsewhere: readonly number[];
  /** Lines for people unknown to Slack; undefined if Slack was not asked. */
  notInSlack: readonly number[] | undefined;
}

export function previewOf(
  list: ReadList,
  limitOf: (email: string) => KnownLimit,
  open: ReadonlySet<string>,
  inSlack: ReadonlyMap<string, string> | undefined,
): Preview {
  const fresh: ImportLine[] = [];
  const declared: KnownLine[] = [];
  const changed: KnownLine[] = [];
  const same: ImportLine[] = [];
  for (const line of list.lines) {
    const limit = limitOf(line.email);
    switch (limit.kind) {
      case 'unlimited':
        (line.removes ? same : fresh).push(line);
        break;
      case 'none':
      case 'unclear':
        fresh.push(line);
        break;
      case 'declared':
        declared.push({ ...line, from: limit.value });
        break;
      case 'shown':
        // Their own limit stays if the one for everybody changes.
        if (isInForce(line, limit)) same.push(line);
        else changed.push({ ...line, from: limit.value });
        break;
      case 'set':
        if (limit.value === line.amount) same.push(line);
        else changed.push({ ...line, from: limit.value });
        break;
      default:
        limit satisfies never;
    }
  }
  const requestedLines = [...fresh, ...declared, ...changed];
  const linesOf = (fits: (line: ImportLine) => boolean) => requestedLines.filter(fits).map(({ line }) => line);
  return {
    fresh,
    declared,
    changed,
    same,
    isShown: same.some(({ email }) => isOfPlatform(limitOf(email))),
    list,
    openElsewhere: linesOf(({ email }) => open.has(email)),
    notInSlack: inSlack && linesOf(({ email }) => !inSlack.has(email)),
  };
}

const isInForce = (line: ImportLine, { value, isForEverybody }: Extract<KnownLimit, { kind: 'shown' }>) =>
  line.removes ? isForEverybody : value === line.amount && !isForEverybody;

const isOfPlatform = ({ kind }: KnownLimit) => kind === 'shown' || kind === 'unlimited';

/** More ranges of lines would not fit on a phone. */
const MAX_RANGES = 12;
const MAX_EXAMPLES = 3;

/** Shows the effect of a list before anything is requested; a form, unless there is nothing to request. */
export function previewView(
  preview: Preview,
  draft: { id: string; canSimulate: boolean } | undefined,
  concerns: readonly Markup[] = [],
): ModalView {
  const { fresh, declared, changed } = preview;
  const count = fresh.length + declared.length + changed.length;
  const title =
    count === 0
      ? markup`*Nothing to request.*`
      : markup`*Ready: ${countOf(count, 'limit')}*, approved together in one request.`;
  const blocks: Block[] = [
    section(title),
    section(joinMarkup(previewLines(preview), '\n')),
    ...(count > 0 && concerns.length > 0 ? [section(joinMarkup(concerns, '\n'))] : []),
    ...(count > 0 ? [context(...exampleLines(preview))] : []),
  ];
  if (!draft) return modal({ title: IMPORT_TITLE, blocks });
  const reason = textInput({ id: 'reason', label: 'Why?', isMultiline: true, longest: MAX_REASON_LENGTH });
  return modal({
    title: IMPORT_TITLE,
    submit: 'Send request',
    callbackId: IMPORT_SEND_FORM,
    metadata: draft.id,
    blocks: [...blocks, ...(draft.canSimulate ? [actions(simulateButton({ draft: draft.id }))] : []), reason],
  });
}

const numbers = (lines: readonly { line: number }[]) => lines.map(({ line }) => line);

/** A file can have an ambiguous amount in each line, and each has a reason of its own. */
const MAX_REASONS = 8;

function previewLines(preview: Preview): Markup[] {
  const { fresh, declared, changed, same, isShown, list, openElsewhere, notInSlack } = preview;
  const reasons = [...Map.groupBy(list.invalid, (one) => one.why)];
  return [
    // Lines that need a correction come first.
    ...rowLines([['invalid, skipped', numbers(list.invalid)]]),
    ...withRest(
      reasons.map(
        ([reason, lines]) =>
          markup`      ${lines.length === 1 ? 'line' : 'lines'} ${formatRanges(numbers(lines), MAX_RANGES)}: ${reason}`,
      ),
      MAX_REASONS,
      (count) => markup`      and ${countOf(count, 'other reason')}`,
    ),
    ...rowLines([
      ['with different limits for one person, all skipped', list.conflicting],
      ['not in Slack; check the spelling', notInSlack ?? []],
      ['without a limit that is known here', numbers(fresh)],
      ['with a declared limit, not set here yet', numbers(declared)],
      ['changed', numbers(changed)],
      ['in another open request; what is decided later wins', openElsewhere],
      [`the same as ${isShown ? 'the platform shows' : 'the last limit set here'}, skipped`, numbers(same)],
      ['repeated, skipped', list.repeated],
    ]),
  ];
}

function rowLines(rows: readonly (readonly [what: string, lines: readonly number[]])[]): Markup[] {
  return rows
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([what, lines]) =>
        markup`•  *${formatNumber(lines.length)}* ${what}: ${lines.length === 1 ? 'line' : 'lines'} ${formatRanges(lines, MAX_RANGES)}`,
    );
}

const target = (amount: number, removes: true | undefined) => (removes ? WITHOUT_OWN : formatAmount(amount));

function exampleLines({ fresh, declared, changed }: Preview): Markup[] {
  const examples = [
    ...changed
      .slice(0, MAX_EXAMPLES)
      .map(({ email, from, amount, removes }) => markup`${email}: ${formatAmount(from)} → ${target(amount, removes)}`),
    ...declared
      .slice(0, MAX_EXAMPLES)
      .map(({ email, from, amount }) => markup`${email}: ${currentLimitWords(null, from)} → ${formatAmount(amount)}`),
    ...fresh
      .slice(0, MAX_EXAMPLES)
      .map(({ email, amount, removes }) => markup`${email}: current limit unknown → ${target(amount, removes)}`),
  ];
  return [markup`For example ${joinMarkup(examples.slice(0, MAX_EXAMPLES), '; ')}. Amounts are in credits.`];
}
