import Sequencer from '@jest/test-sequencer';

/**
 * Suites of more than twenty seconds, the longest first: in a fresh clone Jest knows no durations and begins with the
 * longest files.
 */
const LONG = [
  ...['panel/accessibility', 'simulation/simulation', 'contract/mongodb', 'hostile-documents'],
  ...['panel/signing-in', 'panel/managing', 'fuzz.spec', 'safety/differential', 'evidence-changed-bytes'],
  ...['sdk/package', 'standing-partitions', 'panel-access', 'stores.model', 'surface/time-travel'],
  ...['evidence/verifiers', 'panel/finding', 'panel/deciding', 'surface/explanations'],
  ...['simulation/planted', 'crash/evidence-kills', 'servers/evidence-kills', 'backup.long'],
  ...['panel/lighthouse', 'simulation/seeds', 'rolling-restart', 'panel/reading-page', 'rps-program'],
  ...['starting-on-servers', 'crash/damage', 'clients/csharp', 'servers/store-faults', 'torn-files'],
  ...['evidence-restore', 'command-line', 'mongo-faults', 'servers/metrics', 'resilience/process'],
  ...['windows-agent', 'windows-msi', 'crash-points', 'archiving-kills', 'take-over', 'dropped-database'],
  ...['typing-without', 'windows-printers', 'ipp-drawing', 'archive-folder-kills'],
  ...['packing-kills.long', 'job-batches.long', 'racing-commands', 'agent-flow', 'agent-network.long'],
  ...['resilience/windows-service', 'agent-stuck', 'waking', 'crash-loop', 'cups-letters', 'cups-options'],
  ...['losing-the-service', 'debian-package', 'log-outage', 'failing-disk', 'agent-cups', 'cups-sizes'],
  ...['agent-sessions.long', 'agent-clone.long', 'data-folder'],
  ...['operator-export-import.servers', 'ordered-webhooks', 'without-a-worker', 'surface/changes'],
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
