import type { IncomingMessage } from 'node:http';

/** The fields of a form that was sent, the first of each name. */
export type Form = Readonly<Record<string, string>>;

/** More than our longest form has with every character encoded. */
const MAX_BYTES = 8192;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Reads a form; null where it is none, or none of ours by its size. A body that does not end is cut off by the server. */
export async function readForm(request: IncomingMessage): Promise<Form | null> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== FORM_TYPE) return null;
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Whoever sends too much is still answered, on this very connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    // Hung up in the middle: there is nobody to answer to.
    return null;
  }
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(Buffer.concat(chunks).toString('utf8')))
    fields[name] ??= value;
  return fields;
}
