import { Metadata, status, type sendUnaryData, type StatusObject } from '@grpc/grpc-js';
import type { NodeState } from './node-state.js';
import type { Version } from './versions.js';

type Refusing = Pick<NodeState, 'faults' | 'standing'>;

/** A call ends with this. Texts, codes and trailers. source: RpcExceptions.cs */
export class RpcError extends Error implements StatusObject {
  readonly metadata = new Metadata();

  constructor(
    readonly code: status,
    readonly details: string,
    trailers: Record<string, string> = {},
  ) {
    super(details);
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, value);
  }
}

/** What the server answers where it did not foresee an error. */
export const handlerThrew = () => new RpcError(status.UNKNOWN, 'Exception was thrown by handler.');
export const asRpcError = (error: unknown): RpcError => (error instanceof RpcError ? error : handlerThrew());

/** Answers a call with what its work resolves to, if anything, or the error it throws. */
export function answer<T>(reply: sendUnaryData<T>, work: () => Promise<T | undefined>): void {
  void work().then(
    (response) => response !== undefined && reply(null, response),
    (error: unknown) => reply(asRpcError(error)),
  );
}

export const unknown = (details: string) => new RpcError(status.UNKNOWN, details);

const timedOut = (details: string) => new RpcError(status.ABORTED, `Operation timed out: ${details}`);

export const commitTimeout = () => timedOut('Commit phase timeout.');
export const consumerTooSlow = () =>
  timedOut('Consumer too slow to handle event while live. Client resubscription required.');

export const invalidPosition = ({ invalidPosition }: Version) =>
  invalidPosition === 'UNKNOWN'
    ? handlerThrew()
    : new RpcError(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.');

export const serverBusy = () => new RpcError(status.UNAVAILABLE, 'Server Is Too Busy');
export const serverNotReady = () => new RpcError(status.UNAVAILABLE, 'Server Is Not Ready');
export const noLeaderInfo = () => new RpcError(status.UNKNOWN, 'No leader info available in response');

export const leaderInfo = (host: string, port: number) =>
  new RpcError(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const streamDeleted = (stream: string) =>
  new RpcError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const accessDenied = () =>
  new RpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

/** Deletes alone answer a conflict like this; an append answers it with an ordinary reply. */
export const wrongExpectedVersion = (stream: string, expected: number, actual: number) => {
  const versions = `Expected version: ${expected}, Actual version: ${actual}`;
  const details = `Delete failed due to WrongExpectedVersion. Stream: ${stream}, ${versions}`;
  return new RpcError(status.FAILED_PRECONDITION, details, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(expected),
    'actual-version': String(actual),
  });
};

export const appendTooLarge = ({ overLarge, maxAppendBytes }: Version) =>
  overLarge === 'RESOURCE_EXHAUSTED'
    ? new RpcError(status.RESOURCE_EXHAUSTED, 'Received message exceeds the maximum configured message size.')
    : new RpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${maxAppendBytes} Exceeded.`, {
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': String(maxAppendBytes),
      });

export const metadataMissing = (property: string) =>
  new RpcError(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

export const invalidArgument = (details: string) => new RpcError(status.INVALID_ARGUMENT, details);
export const internal = (details: string) => new RpcError(status.INTERNAL, details);
export const unavailable = (details: string) => new RpcError(status.UNAVAILABLE, details);
export const unimplemented = () => new RpcError(status.UNIMPLEMENTED, 'Service is unimplemented.');

/** Only a call that insists on the leader is sent to it; others are forwarded. source: ServiceBase.GetRequiresLeader */
export const requiresLeader = (metadata: Metadata): boolean => metadata.get('requires-leader')[0] === 'true';

/** @throws what a call is refused with, if it is */
export function refuse({ faults, standing }: Refusing, insists: boolean): void {
  const { notReady, busy, notLeader } = faults.now;
  if (notReady || standing === 'electing') throw serverNotReady();
  if (busy) throw serverBusy();
  if (notLeader === null) throw noLeaderInfo();
  const leader = notLeader || standing;
  if (insists && leader !== 'leader') throw leaderInfo(leader.host, leader.port);
}

/** @throws what a read is refused with, if it is */
export function refuseRead(node: Refusing, insists: boolean): void {
  const { refuseReads } = node.faults.now;
  if (refuseReads === 'access-denied') throw accessDenied();
  if (refuseReads === 'internal') throw internal('reads are refused');
  refuse(node, insists);
}
