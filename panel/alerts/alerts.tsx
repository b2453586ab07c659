import type { MemberAlerts } from '../../sdk/src/generated/panel.js';
import { useRead } from '../api/reads.js';
import type { Tone } from '../look/job-status.js';
import { DataTable, type DataColumn } from '../look/data-table.js';
import { Read, Status, Text, Time } from '../look/parts.js';
import { AlertForm } from './alert-form.js';
import { CHANNELS } from './choice.js';

const UNDER_WAY_MS = 2_000;

type Message = MemberAlerts['messages'][number];
type Send = Message['sends'][number];

const isUnderWay = (alerts: MemberAlerts | undefined) =>
  alerts?.messages.some(({ sends }) => sends.some(({ status }) => status === 'sending')) ?? false;

export const useAlerts = (enabled = true) =>
  useRead(
    'members',
    'getAlerts',
    {},
    {
      enabled,
      refetchInterval: ({ state }) => (isUnderWay(state.data) ? UNDER_WAY_MS : false),
    },
  );

/** What the signed-in member is told of, where and when. */
export function Alerts() {
  const alerts = useAlerts();
  return (
    <section className="stack" aria-labelledby="alerts">
      <h2 id="alerts">My alerts</h2>
      <Read of={alerts}>
        {(data) => (
          <>
            <AlertForm alerts={data} />
            <DataTable
              caption="The last messages"
              columns={columnsOf(data)}
              rows={data.messages}
              reading={alerts}
              idOf={({ message_id }) => message_id}
              empty={<p className="quiet">No message has been sent yet.</p>}
            />
          </>
        )}
      </Read>
    </section>
  );
}

const WORDS: Readonly<Record<Send['status'], readonly [Tone, string]>> = {
  sending: ['moving', 'on its way'],
  waiting: ['waiting', 'tried again'],
  sent: ['done', 'sent'],
  failed: ['failed', 'failed'],
};

function columnsOf({ channels }: MemberAlerts): readonly DataColumn<Message>[] {
  const nameOf = (id: string) => {
    const channel = channels.find(({ channel_id }) => channel_id === id);
    return channel ? CHANNELS[channel.type] : 'Removed channel';
  };
  return [
    { ...{ id: 'at', header: 'Sent', width: 110 }, cell: ({ started_at }) => <Time at={started_at} /> },
    {
      ...{ id: 'text', header: 'Text', width: 220, grow: 2 },
      cell: ({ lines, more }) => (
        <Text text={[...lines, ...(more > 0 ? [`and ${more} more`] : [])].join(' · ')} />
      ),
    },
    {
      ...{ id: 'sends', header: 'Channels', width: 200, grow: 1, priority: 2 },
      cell: ({ sends }) =>
        sends.map(({ channel_id, status, reason }) => (
          <span key={channel_id} className="row" title={reason ?? undefined}>
            {nameOf(channel_id)} <Status tone={WORDS[status][0]} word={WORDS[status][1]} />
          </span>
        )),
    },
  ];
}
