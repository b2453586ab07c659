import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import type { Faults } from './faults.js';

/** A call ends with this. Texts, codes and trailers. source: RpcExceptions.cs */
export type RpcError = StatusObject;

function rpcError(code: status, details: string, trailers: Record<string, string> = {}): RpcError {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return { code, details, metadata };
}

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
export const wrongExpectedVersion = (stream: string, expected: number, actual: number) =>
  rpcError(status.FAILED_PRECONDITION, `Delete failed due to WrongExpectedVersion. Stream: ${stream}`, {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String(expected),
    'actual-version': String(actual),
  });

export const maxAppendSizeExceeded = (bytes: number) =>
  rpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${bytes} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytes),
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

/** What a write is refused with, if it is. */
export function writeRefusal({ notReady, busy, notLeader }: Faults): RpcError | undefined {
  if (notReady) return serverNotReady();
  if (busy) return serverBusy();
  if (notLeader === false) return undefined;
  return notLeader === null ? noLeaderInfo() : leaderInfo(notLeader.host, notLeader.port);
}

/** A read goes to any member unless the client insists on the leader. source: ServiceBase.GetRequiresLeader */
export function readRefusal(faults: Faults, requiresLeader: boolean): RpcError | undefined {
  switch (faults.refuseReads) {
    case 'unavailable':
      return unavailable('reads are refused');
    case 'access-denied':
      return accessDenied();
    case 'internal':
      return internal('reads are refused');
    case false:
      return writeRefusal(requiresLeader ? faults : { ...faults, notLeader: false });
  }
}
