const MIB = 1024 * 1024;

/** Where the imitated versions differ; test/recordings holds what each of them answered. */
export interface Version {
  readonly name: string;
  /** Bytes of one append. source: ClusterVNodeOptions.MaxAppendSize */
  readonly maxAppendBytes: number;
  readonly overLarge: 'MaximumAppendSizeExceeded' | 'RESOURCE_EXHAUSTED';
  /** What a live subscription does when events come faster than it takes them. */
  readonly burst: 'drops' | 'catches-up-again';
  /** Compresses every message for a client that offers gzip. */
  readonly gzip: boolean;
  readonly details: {
    readonly readFromEnd: string;
    readonly readNone: string;
    readonly insideRecord: (position: number) => string;
    readonly beyondEnd: (position: string, end: number) => string;
  };
  /** A subscription from a position inside a record. */
  readonly invalidPosition: 'UNKNOWN' | 'INVALID_ARGUMENT';
  /** Package of the redaction service; the others are the same. */
  readonly redaction: string;
}

/** Service, its methods and what each of them can do, as the versions list them. */
const SERVICES: readonly (readonly [service: string, methods: string, features?: readonly string[]])[] = [
  ['event_store.client.gossip.gossip', 'read'],
  ['event_store.client.monitoring.monitoring', 'stats'],
  [
    'event_store.client.operations.operations',
    'mergeindexes resignnode restartpersistentsubscriptions setnodepriority shutdown startscavenge stopscavenge',
  ],
  [
    'event_store.client.persistent_subscriptions.persistentsubscriptions',
    'create delete getinfo list read replayparked restartsubsystem update',
    ['stream', 'all'],
  ],
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods'],
  ['event_store.client.streams.streams', 'append delete tombstone'],
  ['event_store.client.streams.streams', 'batchappend', ['deadline_duration']],
  ['event_store.client.streams.streams', 'read', ['position', 'events']],
  [
    'event_store.client.users.users',
    'changepassword create delete details disable enable resetpassword update',
  ],
];

/** Methods that a version says it has; the stand-in has few of them. */
export function methodsOf({ redaction }: Version) {
  const services = [...SERVICES, [`${redaction}.redaction`, 'geteventpositions switchchunks'] as const];
  return services.flatMap(([service, names, features = []]) =>
    names.split(' ').map((name) => ({ service, name, features })),
  );
}

const STREAM_ERROR = 'Unexpected ReadStreamResult: Error';
const ALL_ERROR = 'Unexpected FilteredReadAllResult: Error';

const eventStoreDb23: Version = {
  name: '23.10.8',
  maxAppendBytes: MIB,
  overLarge: 'MaximumAppendSizeExceeded',
  burst: 'drops',
  gzip: false,
  details: {
    readFromEnd: STREAM_ERROR,
    readNone: STREAM_ERROR,
    insideRecord: () => ALL_ERROR,
    beyondEnd: () => ALL_ERROR,
  },
  invalidPosition: 'UNKNOWN',
  redaction: 'event_store.client.redaction',
};

const kurrentDb26: Version = {
  name: '26.0.3',
  maxAppendBytes: 256 * MIB,
  overLarge: 'RESOURCE_EXHAUSTED',
  burst: 'catches-up-again',
  gzip: true,
  details: {
    readFromEnd: `${STREAM_ERROR} >> fromEventNumber should be non negative. (Parameter 'fromEventNumber')`,
    readNone: `${STREAM_ERROR} >> maxCount should be positive. (Parameter 'maxCount')`,
    insideRecord: (position) =>
      'Unexpected FilteredReadAllResult: InvalidPosition >> ' +
      `Log record at actual pos ${position} has non-positive length: 0.  in chunk #0-0 (chunk-000000.000000).`,
    beyondEnd: (position, end) =>
      `${ALL_ERROR} >> Requested position ${position} is greater than writer checkpoint ${end} ` +
      'when requesting to read previous record from TF.',
  },
  invalidPosition: 'INVALID_ARGUMENT',
  redaction: 'kurrent.client.redaction',
};

const versions: ReadonlyMap<string, Version> = new Map(
  [eventStoreDb23, kurrentDb26].map((version) => [version.name, version]),
);

export const VERSIONS: readonly string[] = [...versions.keys()];

/** @throws for a version that is not imitated */
export function versionNamed(name: string): Version {
  const version = versions.get(name);
  if (!version) throw new Error(`there is no ${name}, only ${VERSIONS.join(' and ')}`);
  return version;
}
