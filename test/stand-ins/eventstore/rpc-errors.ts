import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import type { NodeState } from './node-state.js';
import type { Version } from './versions.js';

type Refusing = Pick<NodeState, 'faults' | 'standing'>;

/** A call ends with this. Texts, codes and trailers. source: RpcExceptions.cs */
export type RpcError = StatusObject;

function rpcError(code: status, details: string, trailers: Record<string, string> = {}): RpcError {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return { code, details, metadata };
}

/** What the server answers where it did not foresee an error. */
export const handlerThrew = () => rpcError(status.UNKNOWN, 'Exception was thrown by handler.');
export const unknown = (details: string) => rpcError(status.UNKNOWN, details);

const timedOut = (details: string) => rpcError(status.ABORTED, `Operation timed out: ${details}`);

export const commitTimeout = () => timedOut('Commit phase timeout.');
export const consumerTooSlow = () =>
  timedOut('Consumer too slow to handle event while live. Client resubscription required.');

export const invalidPosition = ({ invalidPosition }: Version) =>
  invalidPosition === 'UNKNOWN'
    ? handlerThrew()
    : rpcError(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.');

export const serverBusy = () => rpcError(status.UNAVAILABLE, 'Server Is Too Busy');
export const serverNotReady = () => rpcError(status.UNAVAILABLE, 'Server Is Not Ready');
export const noLeaderInfo = () => rpcError(status.UNKNOWN, 'No leader info available in response');

export const leaderInfo = (host: string, port: number) =>
  rpcError(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const streamDeleted = (stream: string) =>
  rpcError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const accessDenied = () =>
  rpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

/** Deletes alone answer a conflict like this; an append answers it with an ordinary reply. */
export const wrongExpectedVersion = (stream: string, expected: number, actual: number) => {
  const versions = `Expected version: ${expected}, Actual version: ${actual}`;
  const details = `Delete failed due to WrongExpectedVersion. Stream: ${stream}, ${versions}`;
  return rpcError(status.FAILED_PRECONDITION, details, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(expected),
    'actual-version': String(actual),
  });
};

export const appendTooLarge = ({ overLarge, maxAppendBytes }: Version) =>
  overLarge === 'RESOURCE_EXHAUSTED'
    ? rpcError(status.RESOURCE_EXHAUSTED, 'Received message exceeds the maximum configured message size.')
    : rpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${maxAppendBytes} Exceeded.`, {
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': String(maxAppendBytes),
      });

export const metadataMissing = (property: string) =>
  rpcError(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

export const invalidArgument = (details: string) => rpcError(status.INVALID_ARGUMENT, details);
export const internal = (details: string) => rpcError(status.INTERNAL, details);
export const unavailable = (details: string) => rpcError(status.UNAVAILABLE, details);
export const unimplemented = () => rpcError(status.UNIMPLEMENTED, 'Service is unimplemented.');

/** Only a call that insists on the leader is sent to it; others are forwarded. source: ServiceBase.GetRequiresLeader */
export const requiresLeader = (metadata: Metadata): boolean => metadata.get('requires-leader')[0] === 'true';

/** What a write is refused with, if it is. */
export function writeRefusal({ faults, standing }: Refusing, insists: boolean): RpcError | undefined {
  const { notReady, busy, notLeader } = faults.now;
  if (notReady || standing === 'electing') return serverNotReady();
  if (busy) return serverBusy();
  if (notLeader === null) return noLeaderInfo();
  const leader = notLeader || standing;
  return insists && leader !== 'leader' ? leaderInfo(leader.host, leader.port) : undefined;
}

export function readRefusal(node: Refusing, insists: boolean): RpcError | undefined {
  switch (node.faults.now.refuseReads) {
    case 'unavailable':
      return unavailable('reads are refused');
    case 'access-denied':
      return accessDenied();
    case 'internal':
      return internal('reads are refused');
    case false:
      return writeRefusal(node, insists);
  }
}
