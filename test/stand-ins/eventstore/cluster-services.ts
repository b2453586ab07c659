import { randomUUID } from 'node:crypto';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { EndPoint, NodeState } from './node-state.js';
import { answer, internal, unavailable } from './rpc-errors.js';
import { methodsOf, type Version } from './versions.js';

/** source: ServerFeatures.GetSupportedMethods */
export const supportedMethods =
  ({ faults, counted, version }: NodeState) =>
  (call: ServerUnaryCall<Empty, SupportedMethods>, reply: sendUnaryData<SupportedMethods>): void =>
    answer(reply, async () => {
      counted.featuresCalls += 1;
      await faults.passes(call, (now) => now.features === 'hang');
      if (faults.now.features === 'internal') throw internal('no features today');
      return supportedBy(version);
    });

function supportedBy(version: Version): SupportedMethods {
  const response = new features.SupportedMethods();
  response.setEventStoreServerVersion(version.name);
  for (const { service, name, features: known } of methodsOf(version)) {
    const method = new features.SupportedMethod();
    method.setServiceName(service);
    method.setMethodName(name);
    method.setFeaturesList([...known]);
    response.addMethods(method);
  }
  return response;
}

/** A member as another sees it. */
export interface Member {
  readonly endPoint: EndPoint;
  readonly state: keyof typeof MemberInfo.VNodeState;
  readonly isAlive: boolean;
}

/** source: Gossip.Read */
export const clusterInfo =
  ({ faults, counted }: NodeState, members: () => readonly Member[]) =>
  (call: ServerUnaryCall<Empty, ClusterInfo>, reply: sendUnaryData<ClusterInfo>): void =>
    answer(reply, async () => {
      counted.gossipCalls += 1;
      await faults.passes(call, (now) => now.gossip === 'hang');
      if (faults.now.gossip === 'unavailable') throw unavailable('no gossip today');
      const response = new gossip.ClusterInfo();
      for (const member of members()) response.addMembers(memberInfo(member));
      return response;
    });

function memberInfo({ endPoint, state, isAlive }: Member): MemberInfo {
  const at = new gossip.EndPoint();
  at.setAddress(endPoint.host);
  at.setPort(endPoint.port);
  const id = new shared.UUID();
  id.setString(randomUUID());
  const member = new gossip.MemberInfo();
  member.setInstanceId(id);
  member.setTimeStamp(`${Date.now()}0000`);
  member.setState(gossip.MemberInfo.VNodeState[state]);
  member.setIsAlive(isAlive);
  member.setHttpEndPoint(at);
  return member;
}
