import { readFileSync } from 'node:fs';

export interface EvidenceVectors {
  /** Base64 of 32 bytes. */
  readonly seed: string;
  readonly origin: string;
  readonly vkey: string;
  readonly entries: readonly {
    readonly leaf: number;
    readonly body: string;
    readonly entry: string;
    readonly leafHash: string;
  }[];
  /** Of the first leaves: 1, 2 and so on. */
  readonly roots: readonly string[];
  readonly consistency4to7: readonly string[];
  readonly inclusion5of7: readonly string[];
  readonly checkpoint4: string;
  readonly head4: string;
  readonly checkpoint7: string;
  readonly head7: string;
  /** Proof files to accept. */
  readonly files: Readonly<Record<'account' | 'job' | 'period' | 'system', string>>;
  /** Proof files to refuse. */
  readonly refused: Readonly<Record<string, string>>;
}

/** Test vectors of the evidence log, which its specification gives. */
export const vectors = JSON.parse(
  readFileSync(new URL('evidence-vectors.json', import.meta.url), 'utf8'),
) as EvidenceVectors;
