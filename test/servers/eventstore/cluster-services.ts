import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { NodeState } from './node-state.js';
import { internal, unavailable, unimplemented } from './rpc-errors.js';

const STREAMS = 'event_store.client.streams.streams';
const VERSION = '23.10.7';

/** Names in lower case, one entry a method. source: ServerFeatures.GetSupportedMethods */
export const supportedMethods =
  ({ faults, counted }: NodeState) =>
  async (
    call: ServerUnaryCall<Empty, SupportedMethods>,
    reply: sendUnaryData<SupportedMethods>,
  ): Promise<void> => {
    counted.featuresCalls += 1;
    if (!(await faults.passes(call, (now) => now.features === 'hang'))) return;
    if (faults.now.features === 'internal') return reply(internal('no features today'));
    if (faults.now.features === 'unimplemented') return reply(unimplemented());
    const names = ['append', 'read', 'delete', 'tombstone'];
    if (faults.now.features === 'ok') names.push('batchappend');
    const response = new features.SupportedMethods();
    response.setEventStoreServerVersion(VERSION);
    for (const name of names) {
      const method = new features.SupportedMethod();
      method.setServiceName(STREAMS);
      method.setMethodName(name);
      response.addMethods(method);
    }
    reply(null, response);
  };

/** A cluster of one. Ids are in the structured form here. source: Gossip.Read */
export const clusterInfo =
  ({ faults, counted }: NodeState, port: () => number) =>
  async (call: ServerUnaryCall<Empty, ClusterInfo>, reply: sendUnaryData<ClusterInfo>): Promise<void> => {
    counted.gossipCalls += 1;
    if (!(await faults.passes(call, (now) => now.gossip === 'hang'))) return;
    if (faults.now.gossip === 'unavailable') return reply(unavailable('no gossip today'));
    const endPoint = new gossip.EndPoint();
    endPoint.setAddress('127.0.0.1');
    endPoint.setPort(port());
    const bits = new shared.UUID.Structured();
    bits.setMostSignificantBits('1');
    bits.setLeastSignificantBits('1');
    const id = new shared.UUID();
    id.setStructured(bits);
    const member = new gossip.MemberInfo();
    member.setInstanceId(id);
    member.setTimeStamp(`${Date.now()}0000`);
    member.setState(gossip.MemberInfo.VNodeState.LEADER);
    member.setIsAlive(true);
    member.setHttpEndPoint(endPoint);
    const response = new gossip.ClusterInfo();
    response.addMembers(member);
    reply(null, response);
  };
