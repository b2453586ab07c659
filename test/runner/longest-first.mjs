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
  ...[
    'windows-agent',
    'crash-points',
    'windows-msi',
    'simulation/planted',
    'simulation/seeds',
    'crash/damage',
  ],
  ...['servers/store-faults', 'typing-without', 'windows-printers', 'rolling-restart', 'rps-program'],
  ...[
    'backup.long',
    'crash/evidence-kills',
    'servers/evidence-kills',
    'panel/lighthouse',
    'panel/reading-page',
  ],
  ...['archiving-kills', 'dropped-database', 'clients/csharp', 'resilience/windows-service', 'torn-files'],
  ...['starting-on-servers', 'take-over', 'agent-network.long', 'agent-flow', 'job-batches.long'],
  ...['resilience/process', 'command-line', 'evidence-restore', 'servers/metrics', 'mongo-faults'],
  ...[
    'archive-folder-kills',
    'packing-kills.long',
    'racing-commands',
    'ipp-drawing',
    'agent-stuck',
    'waking',
  ],
  ...['crash-loop', 'cups-letters', 'cups-options', 'losing-the-service', 'debian-package', 'log-outage'],
  ...['failing-disk', 'agent-cups', 'cups-sizes', 'agent-sessions.long', 'agent-clone.long', 'data-folder'],
  ...['operator-export-import.servers', 'ordered-webhooks', 'without-a-worker', 'surface/changes'],
];

const rankOf = ({ path }) => {
  const rank = LONG.findIndex((part) => path.includes(part));
  return rank < 0 ? LONG.length : rank;
};
const byName = ({ path: one }, { path: other }) => (one < other ? -1 : 1);

/** Begins with the suites that take longest, so that none runs alone at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }

  /** `--shard=INDEX/COUNT`: each part has as many of the long suites. */
  shard(tests, { shardIndex, shardCount }) {
    const dealt = [...tests].sort((one, other) => rankOf(one) - rankOf(other) || byName(one, other));
    return dealt.filter((_, place) => place % shardCount === shardIndex - 1);
  }
}
