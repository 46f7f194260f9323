import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { askPlatform } from '../../core/control.ts';
import { errorWords } from '../../core/failure-words.ts';
import { readPlatformState, type PlatformState, type RunPlatform } from '../../core/platform-state.ts';
import { Drawer } from './drawer.ts';
import { PlatformDays } from './platform-days.ts';
import { PlatformFaults } from './platform-faults.ts';

const REFRESH_MS = 3_000;

/** The platform behind the app's figures: its days, its faults and its requests. */
export function PlatformDrawer(): VNode {
  const [platform, setPlatform] = useState<PlatformState | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const read = async () => setPlatform(readPlatformState(await askPlatform('GET', 'state')));
  const attempt = (work: () => Promise<void>) =>
    work().then(
      () => setFailure(null),
      (error: unknown) => setFailure(errorWords('The platform', error)),
    );
  useEffect(() => {
    void attempt(read);
    const timer = setInterval(() => void attempt(read), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const run: RunPlatform = (method, path, body) =>
    void attempt(async () => {
      await askPlatform(method, path, body);
      await read();
    });
  return html`<${Drawer} name="platform" title="Platform" note="Where the app reads its figures">
    ${failure !== null && html`<p class="failure" role="alert">⚠ ${failure}</p>`}
    ${
      platform === null
        ? html`<p class="beginning">Reading…</p>`
        : html`<${PlatformDays} platform=${platform} run=${run} />
            <${PlatformRevisions} platform=${platform} run=${run} />
            <${PlatformFaults} platform=${platform} run=${run} />
            <${PlatformRequests} platform=${platform} />`
    }
  </${Drawer}>`;
}

interface PartProps {
  platform: PlatformState;
  run: RunPlatform;
}

function PlatformRevisions({ platform, run }: PartProps): VNode {
  const [settings, setSettings] = useState('{ "cloudSessionSync": false }');
  const [failure, setFailure] = useState<string | null>(null);
  const onSubmit = (event: Event) => {
    event.preventDefault();
    try {
      run('POST', 'revisions', { settings: JSON.parse(settings) as unknown });
      setFailure(null);
    } catch {
      setFailure('This is not JSON.');
    }
  };
  return html`<section class="drawer-part">
    <h3>Enterprise controls</h3>
    <p>Latest revision: ${platform.latestRevision ?? 'none'}</p>
    <form class="stack" onSubmit=${onSubmit}>
      <label for="revision-settings">Settings to change, as JSON</label>
      <textarea
        id="revision-settings"
        rows="3"
        value=${settings}
        onInput=${(event: { currentTarget: HTMLTextAreaElement }) => setSettings(event.currentTarget.value)}
      ></textarea>
      ${failure !== null && html`<p class="failure" role="alert">⚠ ${failure}</p>`}
      <button type="submit" class="button" data-testid="platform-revision">Add a revision</button>
    </form>
  </section>`;
}

function PlatformRequests({ platform }: { platform: PlatformState }): VNode {
  return html`<section class="drawer-part">
    <h3>Last requests</h3>
    ${platform.requests.length === 0 && html`<p>No requests yet.</p>`}
    <ul class="request-lines">
      ${platform.requests.map(({ line, isSpoilt }) => html`<li class=${isSpoilt ? 'traffic-failed' : ''}>${line}</li>`)}
    </ul>
  </section>`;
}
