import type { JobExplanation } from '../../sdk/src/generated/integration.js';
import { Link } from 'wouter';
import { Time } from '../look/parts.js';

interface NextStepsProps extends Pick<JobExplanation, 'next_steps'> {
  /** Where what waits can be moved; undefined on that page. */
  readonly printerPage?: string;
}

/** Why a job stands as it does, and what to do, in the words of the service. */
export function ExplanationView({ evidence, ...steps }: NextStepsProps & Pick<JobExplanation, 'evidence'>) {
  const [first, ...others] = evidence;
  return (
    <>
      <p className="verdict">{first && <Said text={first.text} />}</p>
      {others.map(({ event_id, text }) => (
        <p key={event_id}>
          <Said text={text} />
        </p>
      ))}
      <NextSteps {...steps} />
    </>
  );
}

export function NextSteps({ next_steps, printerPage }: NextStepsProps) {
  const says = ({ action, text }: JobExplanation['next_steps'][number]) =>
    action === 'move_queue' && printerPage ? <Link href={printerPage}>{text}</Link> : text;
  return (
    <ul aria-label="Next steps">
      {next_steps.map((step) => (
        <li key={step.action}>{says(step)}</li>
      ))}
    </ul>
  );
}

/** What others wrote stands in quotation marks; times are instants (docs/reference/explanations.md). */
const PARTS = /(“[^“”]*”|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)/;

function Said({ text }: { readonly text: string }) {
  return text.split(PARTS).map((part, n) => {
    if (n % 2 === 0) return part;
    if (!part.startsWith('“')) return <Time key={n} at={part} exact />;
    return (
      <span key={n}>
        “<bdi>{part.slice(1, -1)}</bdi>”
      </span>
    );
  });
}
