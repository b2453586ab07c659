import { addressOf } from '../api/client.js';

interface ExportProofProps {
  /** `account`, or `jobs/<id>`. */
  readonly of: string;
}

/** Downloads the proof file of the account or of a job. */
export function ExportProof({ of }: ExportProofProps) {
  return (
    <a className="button" href={addressOf(`/evidence/${of}`)} download>
      Export the proof
    </a>
  );
}
