import { useState } from 'react';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { Problem } from '../look/parts.js';

/** Longer documents are downloads. */
const MAX_SHOWN_BYTES = 65_536;

interface DocumentTextProps {
  readonly job: Pick<PrintJob, 'content_type' | 'content_size_bytes'>;
  readonly address: string;
}

/** Shows a short text on the page, as text. */
export function DocumentText({ job, address }: DocumentTextProps) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<Error>();
  if (job.content_type !== 'text' || job.content_size_bytes > MAX_SHOWN_BYTES) return null;
  const show = () => {
    setError(undefined);
    fetch(address, { credentials: 'same-origin' })
      .then(async (answer) => {
        if (!answer.ok) throw new Error('The document cannot be shown. It may no longer be kept.');
        setText(await answer.text());
      })
      .catch(setError);
  };
  return (
    <>
      {text === undefined && (
        <button type="button" onClick={show}>
          Show the text
        </button>
      )}
      {error && <Problem error={error} />}
      {text !== undefined && (
        <pre tabIndex={0} aria-label="Text of the document">
          {text}
        </pre>
      )}
    </>
  );
}
