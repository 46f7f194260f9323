import fc from 'fast-check';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\uD800',
    '\u202E\u200B',
    '<!channel> <@U0ADA> <https://evil.example|click>',
    "'; drop table hook_sessions; --",
    '$(reboot)',
    '../../../etc/passwd',
    'x'.repeat(20_000),
    '```',
    '*bold* _it_ ~no~ `code`',
  ),
);
const name = fc.oneof(
  fc.constantFrom(
    'Notification',
    'Stop',
    'SubagentStop',
    'SessionEnd',
    'PostToolUse',
    '__proto__',
    'constructor',
    'toString',
  ),
  text,
);
const wrong = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, 1e308, true, [], {}, [[]], { length: 1 }),
  fc.array(text, { maxLength: 3 }),
);

/** An event with a fault in it, or with every strange but valid content. */
const strangeEvent = fc
  .record(
    {
      hook_event_name: fc.oneof({ weight: 4, arbitrary: name }, { weight: 1, arbitrary: wrong }),
      session_id: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: wrong }),
      cwd: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: wrong }),
      message: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: wrong }),
      reason: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: wrong }),
      owner: fc.constant('U0ADA'),
      id: fc.constant('1'),
    },
    { requiredKeys: [] },
  )
  .map((event) => JSON.stringify(event));

const deep = fc.constantFrom('[', '{"a":', '[{"a":').map((opening) => opening.repeat(12_000));
const many = fc.constant(
  JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`member${index}`, index]))),
);
const namesake = fc.constant(
  '{"hook_event_name":"Stop","session_id":"s1","__proto__":{"owner":"U0ADA"},"session_id":"s2"}',
);

/** Bodies of an attacker. */
export const hostileBodies: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 8, arbitrary: strangeEvent },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 2_000 }) },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: many },
  { weight: 1, arbitrary: namesake },
  { weight: 1, arbitrary: fc.constant('x'.repeat(70_000)) },
);
