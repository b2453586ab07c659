import { Module, type DynamicModule } from '@nestjs/common';
import { deciderHandlers } from '../../event-sourcing/write/decider-handlers.js';
import { KeyedMutex } from '../../event-sourcing/keyed-mutex.js';
import { CancelDeliveriesHandler } from './cancel-deliveries.handler.js';
import {
  CreateWebhook,
  DELIVERY,
  DeleteWebhook,
  DeliveryAttempts,
  MakeDeliveryDue,
  PauseWebhook,
  RequestWebhookTest,
  UpdateWebhook,
  endpoints,
  makeDeliveries,
  type DeliveryCommand,
  type DeliveryPolicy,
  type EndpointCommand,
} from './index.js';
import { Attempts } from './dispatch/attempts.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { Interruptions } from './dispatch/interruptions.js';
import { ReadyHints } from './dispatch/ready-hints.js';
import { RequestedAttempts } from './dispatch/requested-attempts.js';
import { Sender } from './dispatch/sender.js';
import { SENDING, type Sending } from './dispatch/sending.js';
import { FanOut } from './fan-out/fan-out.js';
import { Tellings } from './fan-out/tellings.js';
import { SecretBox } from './secret-box.js';
import { WebhookLoops } from './webhook-loops.js';

const LOOPS = [Attempts, Dispatcher, FanOut, Interruptions, ReadyHints, Sender, Tellings, WebhookLoops];
const ENDPOINTS = Symbol('webhook endpoints aggregate');

@Module({})
export class WebhooksModule {
  static with(policy: DeliveryPolicy, sending: Sending): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      providers: [
        { provide: ENDPOINTS, useValue: endpoints },
        { provide: DELIVERY, useValue: makeDeliveries(policy) },
        ...deciderHandlers<EndpointCommand>(
          ENDPOINTS,
          (command) => command.accountId,
          [CreateWebhook, UpdateWebhook, PauseWebhook, DeleteWebhook, RequestWebhookTest],
          new KeyedMutex(),
        ),
        ...deciderHandlers<DeliveryCommand>(DELIVERY, (command) => command.deliveryId, [MakeDeliveryDue]),
        { provide: SENDING, useValue: sending },
        { provide: DeliveryAttempts, useClass: RequestedAttempts },
        ...LOOPS,
        CancelDeliveriesHandler,
        SecretBox,
      ],
      exports: [DELIVERY, DeliveryAttempts, SecretBox, WebhookLoops],
    };
  }
}
