import { useState } from 'react';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { Problem } from '../look/parts.js';

/** Of a longer document this beginning is shown. */
const MAX_SHOWN_BYTES = 65_536;

interface DocumentTextProps {
  readonly job: Pick<PrintJob, 'content_type' | 'content_size_bytes'>;
  readonly address: string;
}

/** Shows a text, or its beginning, on the page, as text. */
export function DocumentText({ job, address }: DocumentTextProps) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<Error>();
  if (job.content_type !== 'text') return null;
  const isLong = job.content_size_bytes > MAX_SHOWN_BYTES;
  const show = () => {
    setError(undefined);
    fetch(address, { credentials: 'same-origin' })
      .then(async (answer) => {
        if (!answer.ok) throw new Error('The document cannot be shown. It may no longer be kept.');
        setText(await beginningOf(answer.body!));
      })
      .catch(setError);
  };
  return (
    <>
      {text === undefined && (
        <button type="button" onClick={show}>
          {isLong ? 'Show the first lines' : 'Show the text'}
        </button>
      )}
      {error && <Problem error={error} />}
      {text !== undefined && (
        <pre tabIndex={0} aria-label="Text of the document">
          {text}
          {isLong && '…'}
        </pre>
      )}
    </>
  );
}

/** Reads no more than it shows. */
async function beginningOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (let left = MAX_SHOWN_BYTES; left > 0;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  await reader.cancel();
  return text;
}
