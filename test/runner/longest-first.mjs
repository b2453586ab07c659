import Sequencer from '@jest/test-sequencer';

/**
 * Suites of more than twenty seconds, the longest first: in a fresh clone Jest knows no durations and begins with the
 * longest files.
 */
const LONG = [
  ...['simulation/planted', 'panel/accessibility', 'panel/lighthouse', 'servers/store-faults'],
  ...['windows-agent', 'windows-msi', 'evidence-kills', 'crash-points', 'typing-without', 'windows-printers'],
  ...['ipp-drawing', 'archive-folder-kills', 'rolling-restart', 'windows-service', 'reading-page'],
  ...['packing-kills.long', 'job-batches.long', 'time-travel', 'simulation/seeds', 'agent-flow'],
  ...['following-changes', 'agent-network.long', 'crash/damage', 'backup.long', 'starting-on-servers'],
  ...['agent-stuck', 'simulation/simulation', 'take-over', 'operator-export-import.servers'],
  ...['surface/explanations', 'dropped-database', 'archiving-kills', 'cups-letters', 'cups-options'],
  ...['losing-the-service', 'rps-program', 'debian-package', 'contract/mongodb', 'clients/csharp'],
  ...['log-outage', 'panel/managing', 'failing-disk', 'agent-cups', 'agent-sessions.long', 'cups-sizes'],
  ...[
    'resilience/process',
    'agent-clone.long',
    'data-folder',
    'fuzz.spec',
    'mongo-faults',
    'servers/metrics',
  ],
  ...['ordered-webhooks', 'without-a-worker', 'evidence/verifiers', 'recordings.spec', 'fair-printers'],
];

/** Begins with the suites that take longest, so that none runs alone at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const rank = LONG.findIndex((part) => path.includes(part));
      return rank < 0 ? LONG.length : rank;
    };
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
