import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { listOf, numberOf } from '../core/json.ts';
import { usePage } from '../core/page-context.ts';
import { errorWords } from '../core/failure-words.ts';
import { severalValues } from './element-values.ts';
import { useElementValue, type ElementProps } from './surface.ts';

/** Lets files be chosen; they are uploaded at once, and the form holds their ids. */
export function FileInput(props: ElementProps): VNode {
  const { element } = props;
  const { session, state } = usePage();
  const { value, set, inputId } = useElementValue(props, 'The files');
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const chosen = severalValues(value);
  const most = numberOf(element['max_files']) ?? 10;
  const types = listOf(element['filetypes']).map((type) => `.${String(type)}`);

  const upload = async (files: readonly File[]) => {
    setBusy(true);
    setFailure(null);
    try {
      const uploaded: string[] = [];
      for (const file of files.slice(0, most - chosen.length)) {
        const contentBase64 = toBase64(new Uint8Array(await file.arrayBuffer()));
        const mimeType = file.type === '' ? 'application/octet-stream' : file.type;
        uploaded.push((await session.act('upload', { name: file.name, contentBase64, mimeType })).id);
      }
      set([...chosen, ...uploaded]);
    } catch (error) {
      setFailure(errorWords('The upload', error));
    } finally {
      setBusy(false);
    }
  };
  const onChange = (event: { currentTarget: HTMLInputElement }) => {
    void upload([...(event.currentTarget.files ?? [])]);
    event.currentTarget.value = '';
  };
  const nameOf = (fileId: string) => state.snapshot?.files.find(({ id }) => id === fileId)?.name ?? fileId;

  return html`<div class="file-input">
    <input
      type="file"
      id=${inputId}
      multiple=${most > 1}
      accept=${types.join(',')}
      disabled=${isBusy || chosen.length >= most}
      aria-labelledby=${props.labelId}
      aria-describedby=${props.describedBy}
      onChange=${onChange}
    />
    ${isBusy && html`<small role="status">Uploading…</small>`}
    ${failure !== null && html`<small class="failure" role="alert">${failure}</small>`}
    <ul class="chips">
      ${chosen.map(
        (fileId) =>
          html`<li class="chip" key=${fileId}>
            ${nameOf(fileId)}
            <button
              type="button"
              aria-label=${`Remove ${nameOf(fileId)}`}
              onClick=${() => set(chosen.filter((one) => one !== fileId))}
            >
              ×
            </button>
          </li>`,
      )}
    </ul>
  </div>`;
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCodePoint(byte);
  return btoa(binary);
}
