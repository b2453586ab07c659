import { randomUUID } from 'node:crypto';
import { attribute, groupsOf, IppRefused, NOT_FOUND, type IppClient } from '../ipp/ipp-client.js';
import { Tag, type IppAttributes } from '../ipp/ipp-message.js';

const CREATE_PRINTER_SUBSCRIPTIONS = 0x0016;
const GET_SUBSCRIPTIONS = 0x0019;
const GET_NOTIFICATIONS = 0x001c;
const MARK = 'svc-epoch:';

/**
 * Identifies the current run of cupsd. IPP has no attribute for it (CUPS answers `printer-up-time` with the time of
 * day), so the agent subscribes to the server's start events. A graceful restart keeps the subscription and adds an
 * event with the start time; a killed cupsd may lose the subscription, and a new one has another random mark.
 */
export class SpoolerEpoch {
  private known: { id: number; mark: string } | undefined;

  constructor(private readonly ipp: IppClient) {}

  async current(): Promise<string> {
    const remembered = this.known;
    this.known ??= (await this.existing()) ?? (await this.subscribe());
    try {
      return `${this.known.mark}/${await this.lastStart(this.known.id)}`;
    } catch (error) {
      this.known = undefined;
      if (remembered && error instanceof IppRefused && error.status === NOT_FOUND) return this.current();
      throw error;
    }
  }

  private async existing(): Promise<{ id: number; mark: string } | undefined> {
    const subscriptions = await this.subscriptions();
    for (const subscription of subscriptions) {
      const mark = String(subscription.get('notify-user-data')?.[0] ?? '');
      const id = subscription.get('notify-subscription-id')?.[0];
      if (mark.startsWith(MARK) && typeof id === 'number') return { id, mark };
    }
    return undefined;
  }

  private async subscriptions(): Promise<IppAttributes[]> {
    try {
      const response = await this.ipp.execute({
        operation: GET_SUBSCRIPTIONS,
        attributes: [
          attribute('my-subscriptions', Tag.boolean, true),
          attribute('requested-attributes', Tag.keyword, 'notify-subscription-id', 'notify-user-data'),
        ],
      });
      return groupsOf(response, Tag.subscription);
    } catch (error) {
      if (error instanceof IppRefused && error.status === NOT_FOUND) return [];
      throw error;
    }
  }

  private async subscribe(): Promise<{ id: number; mark: string }> {
    const mark = `${MARK}${randomUUID()}`;
    const response = await this.ipp.execute({
      operation: CREATE_PRINTER_SUBSCRIPTIONS,
      groups: [
        {
          tag: Tag.subscription,
          attributes: [
            attribute('notify-pull-method', Tag.keyword, 'ippget'),
            attribute('notify-events', Tag.keyword, 'server-started', 'server-restarted'),
            attribute('notify-user-data', Tag.octets, mark),
            attribute('notify-lease-duration', Tag.integer, 0),
          ],
        },
      ],
    });
    const id = groupsOf(response, Tag.subscription)[0]?.get('notify-subscription-id')?.[0];
    if (typeof id !== 'number') throw new Error('CUPS gave no subscription id');
    return { id, mark };
  }

  /** Sequence number and time of the last event of the subscription that tells of a start of the server. */
  private async lastStart(id: number): Promise<string> {
    const response = await this.ipp.execute({
      operation: GET_NOTIFICATIONS,
      attributes: [attribute('notify-subscription-ids', Tag.integer, id)],
    });
    const last = groupsOf(response, Tag.event).at(-1);
    if (!last) return 'first';
    return `${last.get('notify-sequence-number')?.[0]}@${last.get('printer-up-time')?.[0]}`;
  }
}
