import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { listOf, numberOf } from '../core/json.ts';
import { usePage } from '../core/page-context.ts';
import { errorWords } from '../core/failure-words.ts';
import { severalValues } from './element-values.ts';
import { useElementValue, type ElementProps } from './surface.ts';

/** A file input: chosen files are uploaded at once, and the form contains their ids. */
export function FileInput(props: ElementProps): VNode {
  const { element } = props;
  const { value, set, inputId } = useElementValue(props, 'The files');
  const { upload, nameOf, isBusy, failure } = useUpload();
  const chosen = severalValues(value);
  const most = numberOf(element['max_files']) ?? 10;
  const types = listOf(element['filetypes']).map((type) => `.${String(type)}`);

  const onChange = async ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const files = [...(input.files ?? [])].slice(0, most - chosen.length);
    input.value = '';
    set([...chosen, ...(await upload(files))]);
  };

  return html`<div class="file-input">
    <input
      type="file"
      id=${inputId}
      multiple=${most > 1}
      accept=${types.join(',')}
      disabled=${isBusy || chosen.length >= most}
      aria-labelledby=${props.labelId}
      aria-describedby=${props.describedBy}
      onChange=${(event: { currentTarget: HTMLInputElement }) => void onChange(event)}
    />
    ${isBusy && html`<small role="status">Uploading…</small>`}
    ${failure !== null && html`<small class="failure" role="alert">${failure}</small>`}
    <${ChosenFiles} files=${chosen} nameOf=${nameOf} onChange=${set} />
  </div>`;
}

interface ChosenFilesProps {
  files: readonly string[];
  nameOf: (fileId: string) => string;
  onChange: (files: string[]) => void;
}

function ChosenFiles({ files, nameOf, onChange }: ChosenFilesProps): VNode {
  const without = (removed: string) => files.filter((file) => file !== removed);
  return html`<ul class="chips">
    ${files.map(
      (file) =>
        html`<li class="chip" key=${file}>
          ${nameOf(file)}
          <button type="button" aria-label=${`Remove ${nameOf(file)}`} onClick=${() => onChange(without(file))}>
            ×
          </button>
        </li>`,
    )}
  </ul>`;
}

/** Uploads files for a form. Returns the ids of the files that succeeded. */
function useUpload() {
  const { session } = usePage();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const names = useRef(new Map<string, string>());
  const upload = async (files: readonly File[]): Promise<string[]> => {
    const uploaded: string[] = [];
    setBusy(true);
    setFailure(null);
    try {
      for (const file of files) {
        const contentBase64 = toBase64(new Uint8Array(await file.arrayBuffer()));
        const mimeType = file.type === '' ? 'application/octet-stream' : file.type;
        const { id } = await session.act('upload', { name: file.name, contentBase64, mimeType });
        names.current.set(id, file.name);
        uploaded.push(id);
      }
    } catch (error) {
      setFailure(errorWords('The upload', error));
    }
    setBusy(false);
    return uploaded;
  };
  return { upload, nameOf: (fileId: string) => names.current.get(fileId) ?? fileId, isBusy, failure };
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCodePoint(byte);
  return btoa(binary);
}
