import { randomUUID } from 'node:crypto';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import { uuid } from './event-encoding.js';
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

const supportedBy = (version: Version) =>
  new features.SupportedMethods().setEventStoreServerVersion(version.name).setMethodsList(
    methodsOf(version).map(({ service, name, features: known }) =>
      new features.SupportedMethod()
        .setServiceName(service)
        .setMethodName(name)
        .setFeaturesList([...known]),
    ),
  );

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
      return new gossip.ClusterInfo().setMembersList(members().map(memberInfo));
    });

const memberInfo = ({ endPoint: { host, port }, state, isAlive }: Member): MemberInfo =>
  new gossip.MemberInfo()
    .setInstanceId(uuid(randomUUID()))
    .setTimeStamp(`${Date.now()}0000`)
    .setState(gossip.MemberInfo.VNodeState[state])
    .setIsAlive(isAlive)
    .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port));
