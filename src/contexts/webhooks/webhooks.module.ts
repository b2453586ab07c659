import { Module, type DynamicModule } from '@nestjs/common';
import { CancelDeliveriesHandler, DeliveryRetention } from './ended-deliveries.js';
import {
  CreateWebhook,
  DELIVERY,
  DeleteWebhook,
  MakeDeliveryDue,
  ManualAttempts,
  PauseWebhook,
  RequestWebhookTest,
  StartWebhookRecovery,
  UpdateWebhook,
  endpoints,
  makeDeliveries,
  type DeliveryCommand,
  type DeliveryPolicy,
} from './index.js';
import { AttemptRunner } from './dispatch/attempt-runner.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { EndpointHealth } from './endpoint-health.js';
import { FanOut } from './fan-out/fan-out.js';
import { SENDING, type Sending } from './ports.js';
import { MissedEvents } from './recovery/missed-events.js';
import { RecoveryRunner } from './recovery/recovery-runner.js';
import { SecretBox } from './secret-box.js';
import { WebhookLoops } from './webhook-loops.js';
import { deciderHandlers } from '../../event-sourcing/index.js';

@Module({})
export class WebhooksModule {
  static with(policy: DeliveryPolicy, sending: Sending): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      providers: [
        { provide: DELIVERY, useValue: makeDeliveries(policy) },
        ...deciderHandlers(endpoints, (command) => command.accountId, [
          CreateWebhook,
          UpdateWebhook,
          PauseWebhook,
          DeleteWebhook,
          RequestWebhookTest,
          StartWebhookRecovery,
        ]),
        ...deciderHandlers<DeliveryCommand>(DELIVERY, (command) => command.deliveryId, [MakeDeliveryDue]),
        { provide: SENDING, useValue: sending },
        EndpointHealth,
        FanOut,
        Dispatcher,
        AttemptRunner,
        ManualAttempts,
        DeliveryRetention,
        MissedEvents,
        RecoveryRunner,
        WebhookLoops,
        CancelDeliveriesHandler,
        SecretBox,
      ],
      exports: [DELIVERY, ManualAttempts, MissedEvents, SecretBox, WebhookLoops],
    };
  }
}
