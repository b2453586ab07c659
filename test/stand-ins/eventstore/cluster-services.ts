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
const UNARY = ['append', 'read', 'delete', 'tombstone'];

type FeaturesCall = ServerUnaryCall<Empty, SupportedMethods>;
type GossipCall = ServerUnaryCall<Empty, ClusterInfo>;

/** source: ServerFeatures.GetSupportedMethods */
export const supportedMethods =
  (node: NodeState) =>
  (call: FeaturesCall, reply: sendUnaryData<SupportedMethods>): void =>
    void answerFeatures(node, call, reply);

async function answerFeatures(
  { faults, counted }: NodeState,
  call: FeaturesCall,
  reply: sendUnaryData<SupportedMethods>,
): Promise<void> {
  counted.featuresCalls += 1;
  if (!(await faults.passes(call, (now) => now.features === 'hang'))) return;
  const { features: mode } = faults.now;
  if (mode === 'internal') reply(internal('no features today'));
  else if (mode === 'unimplemented') reply(unimplemented());
  else reply(null, methods(mode === 'unary-only' ? UNARY : [...UNARY, 'batchappend']));
}

/** Names in lower case, one entry a method. */
function methods(names: readonly string[]): SupportedMethods {
  const response = new features.SupportedMethods();
  response.setEventStoreServerVersion(VERSION);
  for (const name of names) {
    const method = new features.SupportedMethod();
    method.setServiceName(STREAMS);
    method.setMethodName(name);
    response.addMethods(method);
  }
  return response;
}

/** source: Gossip.Read */
export const clusterInfo =
  (node: NodeState, port: () => number) =>
  (call: GossipCall, reply: sendUnaryData<ClusterInfo>): void =>
    void answerGossip(node, port(), call, reply);

async function answerGossip(
  { faults, counted }: NodeState,
  port: number,
  call: GossipCall,
  reply: sendUnaryData<ClusterInfo>,
): Promise<void> {
  counted.gossipCalls += 1;
  if (!(await faults.passes(call, (now) => now.gossip === 'hang'))) return;
  if (faults.now.gossip === 'unavailable') reply(unavailable('no gossip today'));
  else reply(null, clusterOfOne(port));
}

/** The one member is alive and leads. Ids are in their structured form here. */
function clusterOfOne(port: number): ClusterInfo {
  const endPoint = new gossip.EndPoint();
  endPoint.setAddress('127.0.0.1');
  endPoint.setPort(port);
  const bits = new shared.UUID.Structured();
  bits.setMostSignificantBits('6701356245527314495'); // 5d000000-0000-403f-8000-000000000001, a UUID of version 4
  bits.setLeastSignificantBits('-9223372036854775807');
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
  return response;
}
