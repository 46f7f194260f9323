import { expect, test } from 'vitest';
import { readForm } from '../../../src/features/computers/create/computer-form.ts';
import { formValues, FormState } from '../../../src/core/slack/blocks/views.ts';

const errorsOf = (remoteUser: string) =>
  readForm(
    new FormState(
      formValues.parse({
        name: { name: { type: 'plain_text_input', value: 'build-eu-2' } },
        remoteUser: { remoteUser: { type: 'plain_text_input', value: remoteUser } },
      }),
    ),
  ).errors;

test.each(['agent', '_build', 'svc-ci.2', 'svc$', String.raw`ACME\builder`, 'mia@acme', 'jürgen', '0'])(
  '%s is a valid user name',
  (user) => expect(errorsOf(user)).toEqual({}),
);

test.each(['root; rm', 'a b', '$(id)', '`id`', '-rf', 'a\nb', 'a|b', '../x', 'a&b'])(
  '%j is refused as a user name at its field',
  (user) => expect(errorsOf(user)['remoteUser']).toContain('A user name has letters, digits'),
);
