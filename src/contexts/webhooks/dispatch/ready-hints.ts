import { Inject, Injectable } from '@nestjs/common';
import { idOf } from '../../../kernel/ids.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { AggregateStore } from '../../../event-sourcing/write/aggregate-store.js';
import type { DeliveryEvent } from '../domain/delivery.events.js';
import type { EndpointEvent } from '../domain/endpoint.events.js';
import { DELIVERY, type DeliveryAggregate } from '../webhook.aggregates.js';
import { SENDING, type Sending } from './sending.js';

/** @param deliveryId undefined: any of the webhook's */
export type Ready = (webhookId: string, deliveryId: string | undefined) => void;

/** Reads from commits what may be sent now. Only a hint: the deciders know. */
@Injectable()
export class ReadyHints {
  constructor(
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    @Inject(SENDING) private readonly sending: Sending,
  ) {}

  read(appended: readonly RecordedEvent[], ready: Ready): void {
    for (const event of appended) {
      const { stream } = event;
      const isDelivery = stream.startsWith('delivery-');
      if (!isDelivery && !stream.startsWith('webhooks-')) continue;
      // What is cached may be from before this commit: whoever is woken by it must not decide on that.
      this.aggregates.forget(stream, event.revision);
      const told = event as unknown as DeliveryEvent | EndpointEvent;
      this.readOne(told, stream, ready);
    }
  }

  private readOne(event: DeliveryEvent | EndpointEvent, stream: string, ready: Ready): void {
    switch (event.type) {
      case 'DeliveryCreated':
        return ready(event.data.webhookId, event.data.deliveryId);
      case 'DeliveryAttemptFailed':
        if (event.data.again === 'now') this.locate(idOf(stream), ready);
        return;
      case 'DeliveryBecameDue':
        return this.locate(idOf(stream), ready);
      // The address, the secret or the will to take anything: what failed by it may go now.
      case 'WebhookResumed':
      case 'WebhookUpdated':
      case 'WebhookSecretRotated':
        return ready(event.data.webhookId, undefined);
      default:
        return;
    }
  }

  private locate(deliveryId: string, ready: Ready): void {
    this.aggregates.load(this.deliveries, deliveryId).then(
      ({ state }) => ready(state.webhookId, deliveryId),
      (error) => this.sending.onError(error, deliveryId),
    );
  }
}
