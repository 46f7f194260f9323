/** `/upload/<id>` receives a file that files.getUploadURLExternal announced, `/files/<id>` returns it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Sandbox } from '../context.ts';
import { failEarly } from './fault-effects.ts';
import { readBody, sendJson } from './http-reply.ts';

export async function serveUpload(
  sandbox: Sandbox,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedMs = performance.now();
  const content = await uploadedContent(request);
  const file = sandbox.workspace.files.get(id);
  const record = (status: string) =>
    sandbox.traffic.record({
      direction: 'in',
      via: 'upload',
      method: 'upload',
      summary: file?.name ?? id,
      status,
      durationMs: Math.round(performance.now() - startedMs),
      request: { bytes: content.byteLength },
      response: null,
    });
  const fault = sandbox.faults.take('upload', { id });
  if (fault && (await failEarly(fault, response, record))) return;
  if (file) file.content = content;
  if (fault?.kind === 'lost_answer') {
    record('lost');
    response.destroy();
    return;
  }
  const status = file ? 200 : 404;
  record(String(status));
  response.writeHead(status, { 'content-type': 'text/plain' }).end(file ? `OK - ${content.byteLength}` : 'error');
}

// The client sends multipart/form-data with one part; curl and others send the plain bytes.
async function uploadedContent(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return body;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  for (const value of form.values()) if (typeof value !== 'string') return Buffer.from(await value.arrayBuffer());
  return Buffer.alloc(0);
}

export function serveFile(sandbox: Sandbox, id: string, response: ServerResponse): void {
  const file = sandbox.workspace.files.get(id);
  if (!file) {
    sendJson(response, 404, { ok: false, error: 'file_not_found' });
    return;
  }
  response.writeHead(200, {
    'content-type': file.mimeType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    'x-content-type-options': 'nosniff',
  });
  response.end(file.content);
}
