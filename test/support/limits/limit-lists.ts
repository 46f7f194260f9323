import { delivered } from '../digests.ts';
import { openByCommand, submitForm, textOfView } from '../slack/modals.ts';
import type { TestApp } from '../test-app.ts';

/** Some people of the platform have no e-mail; and the only admin decides nothing that is also about her. */
export const emailsOf = (scene: TestApp, count: number) =>
  scene.platform.organization.people
    .flatMap(({ email }) => email ?? [])
    .filter((email) => email.toLowerCase() !== 'ada.admin@acme.example')
    .slice(0, count);

/** Uploads a list for `/limits import` and returns the text of the form. */
export async function uploadList(scene: TestApp, content: string | Buffer, name = 'limits.csv') {
  await openByCommand(scene.slack, 'morgan', '/limits', 'import');
  const contentBase64 = Buffer.from(content).toString('base64');
  const file = await scene.slack.control.upload({ as: 'morgan', name, contentBase64 });
  return submitForm(scene.slack, 'morgan', { file: { file: [file.id] } });
}

/** Submits the previewed list, and returns the id of the request once its card is posted. */
export async function sendList(scene: TestApp, reason = 'New seats'): Promise<string> {
  const sent = textOfView(await submitForm(scene.slack, 'morgan', { reason: { reason } }));
  const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
  await delivered(scene, `limit-card:${id}:`);
  return id;
}
