import type gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Conversations } from '../conversation.js';
import { empty, event } from '../requests.js';

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

export const asking: Conversations = {
  async 'who may'(talk) {
    const append = (stream: string, headers: Record<string, string>) =>
      talk.append(stream, 'no_stream', [event()], headers);
    talk.note('an unknown user', await append('a', basic('nobody:wrong')));
    talk.note('the right user', await append('b', basic('admin:changeit')));
    talk.note('a broken header', await append('c', { authorization: 'Basic !!!' }));
    const last = { from: 'end', backwards: true, count: 1 } as const;
    const all = await talk.read(last, { headers: basic('nobody:wrong') });
    talk.note('everything, as an unknown user', { end: all.end, messages: all.messages.length });
  },

  async 'requires leader'(talk) {
    const headers = { 'requires-leader': 'true' };
    talk.note('append', await talk.append('a', 'no_stream', [event()], headers));
    talk.note('read', await talk.read({ stream: 'a' }, { headers }));
  },

  async 'what it can do'(talk) {
    const { features, gossip } = talk.session;
    const { error, raw } = await talk.session.ask<features.SupportedMethods>((...how) =>
      features.getSupportedMethods(empty(), ...how),
    );
    const methods = raw
      ?.getMethodsList()
      .map((one) => `${one.getServiceName()}/${one.getMethodName()} ${one.getFeaturesList().join(',')}`)
      .sort();
    talk.note('methods', { error, version: raw?.getEventStoreServerVersion(), methods });
    const cluster = await talk.session.ask<gossip.ClusterInfo>((...how) => gossip.read(empty(), ...how));
    const members = cluster.raw
      ?.getMembersList()
      .map((member) => ({ state: member.getState(), isAlive: member.getIsAlive() }));
    talk.note('gossip', { error: cluster.error, members });
  },
};
