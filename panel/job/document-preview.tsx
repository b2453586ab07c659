import { useEffect, useRef } from 'react';
import type { DocumentPreview as Preview, PagePicture } from '../../sdk/src/generated/panel.js';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { useChange } from '../api/reads.js';
import { Foreign, Problem } from '../look/parts.js';
import './document-preview.css';

interface DocumentPreviewProps {
  readonly job: Pick<PrintJob, 'content_type' | 'job_id'>;
}

/** Shows the first pages of a PDF when asked: the audit notes each opening. */
export function DocumentPreview({ job: { content_type, job_id } }: DocumentPreviewProps) {
  const preview = useChange('previewDocument');
  if (content_type !== 'pdf') return null;
  return (
    <>
      {!preview.data && (
        <button
          type="button"
          disabled={preview.isPending}
          onClick={() => preview.mutate({ params: { job_id } })}
        >
          {preview.isPending ? 'Drawing…' : 'Show the first pages'}
        </button>
      )}
      {preview.isPending && <div className="first-pages waiting" />}
      {preview.error && <Problem error={preview.error} />}
      {preview.data && <FirstPages preview={preview.data} />}
    </>
  );
}

function FirstPages({ preview: { pages, page_count, problem } }: { readonly preview: Preview }) {
  if (problem !== null)
    return (
      <p role="status">
        <Foreign text={problem} />
      </p>
    );
  return (
    <figure className="first-pages">
      {pages.map((page, n) => (
        <PageCanvas key={n} page={page} name={`Page ${n + 1} of ${page_count}`} />
      ))}
      <figcaption className="quiet small">
        {pages.length === page_count ? 'All' : 'The first'} {pages.length} of {page_count}
      </figcaption>
    </figure>
  );
}

/** The policy of the pages allows no picture from memory, so it is painted. */
function PageCanvas({ page: { png, width, height }, name }: { readonly page: PagePicture; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    void createImageBitmap(new Blob([bytes], { type: 'image/png' })).then((picture) => {
      canvas.current?.getContext('2d')?.drawImage(picture, 0, 0);
      picture.close();
    });
  }, [png]);
  return <canvas ref={canvas} role="img" aria-label={name} width={width} height={height} />;
}
