/** A log begins. `vkey` verifies what it signs; `previous` is the last checkpoint of the log before. */
export interface EvidenceLogStarted {
  readonly type: 'EvidenceLogStarted';
  readonly data: {
    readonly origin: string;
    readonly vkey: string;
    readonly previous?: { readonly origin: string; readonly size: number; readonly root: string };
  };
}

/** The first `size` leaves have this root (base64). */
export interface CheckpointPublished {
  readonly type: 'CheckpointPublished';
  readonly data: { readonly origin: string; readonly size: number; readonly root: string };
}

export type EvidenceEvent = EvidenceLogStarted | CheckpointPublished;

export const EVIDENCE_STREAM = 'evidence-00000000-0000-0000-0000-000000000000';

/** After these events, an earlier copy of the events may be the store: another log begins. */
export const LOSS_STREAMS = ['restores', 'rollbackAlarm'].map(
  (category) => `${category}-00000000-0000-0000-0000-000000000000`,
);
export const LOSSES: ReadonlySet<string> = new Set(['StoreRestored', 'StoreRollbackDetected']);
