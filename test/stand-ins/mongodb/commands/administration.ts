import type { Document } from '../bson/compose.js';
import { MAX_BYTES } from '../storage/collection.js';
import type { Call, Handler } from './call.js';

export const SET_NAME = 'rs0';
const VERSION = '7.0.14';
/** MongoDB 7.0: https://github.com/mongodb/mongo/blob/v7.0/src/mongo/db/wire_version.h */
const WIRE_VERSION = 21;

const self = ({ port }: Call) => `127.0.0.1:${port()}`;

/**
 * One member, primary. No `topologyVersion`, so drivers poll instead of streaming (server-monitoring.md#streaming-protocol).
 * https://www.mongodb.com/docs/manual/reference/command/hello/
 */
const hello: Handler = (call) => {
  const primary = !call.faults.isSecondary;
  return {
    ...{ helloOk: true, isWritablePrimary: primary, ismaster: primary, secondary: !primary },
    ...{ setName: SET_NAME, setVersion: 1, hosts: [self(call)], me: self(call) },
    ...(primary && { primary: self(call) }),
    ...{ maxBsonObjectSize: MAX_BYTES, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
    ...{ localTime: new Date(), logicalSessionTimeoutMinutes: 30, connectionId: call.connections() },
    ...{ minWireVersion: 0, maxWireVersion: WIRE_VERSION, readOnly: false, ok: 1 },
  };
};

/** https://www.mongodb.com/docs/manual/reference/command/buildInfo/ */
const buildInfo: Handler = () => ({
  ...{ version: VERSION, versionArray: VERSION.split('.').map(Number).concat(0) },
  ...{ gitVersion: 'none', modules: [], bits: 64, maxBsonObjectSize: MAX_BYTES, ok: 1 },
});

const fine: Handler = () => ({ ok: 1 });

const endSessions: Handler = ({ command: { args, name }, sessions }) =>
  sessions.end((args[name] ?? []) as Document[]);

export const administration: Readonly<Record<string, Handler>> = {
  ...{ hello, isMaster: hello, ismaster: hello, ping: fine },
  ...{ buildInfo, buildinfo: buildInfo, endSessions },
};
