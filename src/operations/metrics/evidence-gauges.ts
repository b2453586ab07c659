import type { EvidenceLog } from '../../evidence/evidence-log.js';
import { HALT_REASONS } from '../../evidence/progress.js';
import { elapsed, type Instant } from '../../kernel/time.js';
import type { StoreCollectors } from './store-collectors.js';

export type ObservedLog = Pick<EvidenceLog, 'progress' | 'auditFindings'>;

export function evidenceGauges(collectors: StoreCollectors, log: ObservedLog, now: () => Instant): void {
  collectors.add({
    name: 'evidence',
    gauges: {
      rps_evidence_halted: {
        help: '1 while the evidence log is halted for this reason, else 0.',
        labels: ['reason'],
      },
      rps_evidence_events_behind: {
        help: 'Logged events that no checkpoint covers yet; missing while halted.',
        labels: [],
      },
      rps_evidence_checkpoint_age_seconds: { help: 'Age of the newest checkpoint.', labels: [] },
      rps_evidence_audit_findings: { help: 'Findings of the last audit on this instance.', labels: [] },
    },
    async read() {
      const { size, log: state, halt } = await log.progress();
      const checkpoint = state?.checkpoint;
      const found = log.auditFindings;
      return {
        rps_evidence_halted: HALT_REASONS.map((reason) => ({
          labels: { reason },
          value: Number(halt?.reason === reason),
        })),
        rps_evidence_events_behind: halt ? [] : [{ labels: {}, value: size - (checkpoint?.size ?? 0) }],
        rps_evidence_checkpoint_age_seconds: checkpoint
          ? [{ labels: {}, value: elapsed(checkpoint.at, now()) / 1000 }]
          : [],
        rps_evidence_audit_findings: found === undefined ? [] : [{ labels: {}, value: found }],
      };
    },
  });
}
