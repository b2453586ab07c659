import { Long } from 'bson';
import type { Document } from '../bson/compose.js';
import { MOST_BYTES } from '../storage/collection.js';
import type { Call, Handler } from './call.js';

export const SET_NAME = 'rs0';
const VERSION = '7.0.14';
/** MongoDB 7.0: https://github.com/mongodb/mongo/blob/v7.0/src/mongo/db/wire_version.h */
const WIRE_VERSION = 21;
const started = Date.now();

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
    ...{ maxBsonObjectSize: MOST_BYTES, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
    ...{ localTime: new Date(), logicalSessionTimeoutMinutes: 30, connectionId: call.connections() },
    ...{ minWireVersion: 0, maxWireVersion: WIRE_VERSION, readOnly: false, ok: 1 },
  };
};

/** https://www.mongodb.com/docs/manual/reference/command/buildInfo/ */
const buildInfo: Handler = () => ({
  ...{ version: VERSION, versionArray: VERSION.split('.').map(Number).concat(0) },
  ...{ gitVersion: 'none', modules: [], bits: 64, maxBsonObjectSize: MOST_BYTES, ok: 1 },
});

const uptime = () => Math.floor((Date.now() - started) / 1000);

/** https://www.mongodb.com/docs/manual/reference/command/serverStatus/ */
const serverStatus: Handler = (call) => ({
  ...{ host: self(call), version: VERSION, process: 'mongod', pid: Long.fromNumber(process.pid) },
  ...{ uptime: uptime(), localTime: new Date(), connections: { current: call.connections() } },
  ...{ repl: { setName: SET_NAME, isWritablePrimary: !call.faults.isSecondary, me: self(call) } },
  ...{ metrics: { cursor: { open: { total: call.cursors.open } } }, ok: 1 },
});

/** https://www.mongodb.com/docs/manual/reference/command/replSetGetStatus/ */
const replSetGetStatus: Handler = (call) => {
  const state: Document = call.faults.isSecondary
    ? { state: 2, stateStr: 'SECONDARY' }
    : { state: 1, stateStr: 'PRIMARY' };
  const member = { _id: 0, name: self(call), health: 1, ...state, uptime: uptime(), self: true };
  return { set: SET_NAME, date: new Date(), myState: state['state'], members: [member], ok: 1 };
};

const fine: Handler = () => ({ ok: 1 });

const endSessions: Handler = ({ command: { args, name }, sessions }) =>
  sessions.end((args[name] ?? []) as Document[]);

export const administration: Readonly<Record<string, Handler>> = {
  ...{ hello, isMaster: hello, ismaster: hello, ping: fine },
  ...{ buildInfo, buildinfo: buildInfo, serverStatus, replSetGetStatus },
  ...{ endSessions, killSessions: endSessions, refreshSessions: fine, killAllSessions: fine },
  connectionStatus: () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 }),
  commitTransaction: ({ command, sessions }) => sessions.commit(command),
  abortTransaction: ({ command, sessions }) => sessions.rollBack(command),
};
