/** A document as the API takes it. */
export type Content =
  | { readonly type: 'text'; readonly encoding: 'utf8'; readonly data: string }
  | { readonly type: 'pdf'; readonly encoding: 'base64'; readonly data: string }
  | { readonly type: 'raw'; readonly encoding: 'base64'; readonly data: string };

/** A whole PDF. */
export function pdf(bytes: Uint8Array): Content {
  return { type: 'pdf', encoding: 'base64', data: base64(bytes) };
}

/** Bytes that the printer understands itself, such as ESC/POS or ZPL. */
export function raw(bytes: Uint8Array): Content {
  return { type: 'raw', encoding: 'base64', data: base64(bytes) };
}

export function text(data: string): Content {
  return { type: 'text', encoding: 'utf8', data };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
