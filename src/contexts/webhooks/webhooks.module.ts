import { Module, type DynamicModule } from '@nestjs/common';
import { deciderHandlers } from '../../runtime/decider-handlers.js';
import { CancelDeliveriesHandler } from './cancel-deliveries.handler.js';
import {
  CreateWebhook,
  DELIVERY,
  DeleteWebhook,
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
import { SecretBox } from './secret-box.js';

const ENDPOINTS = Symbol('webhook endpoints aggregate');

@Module({})
export class WebhooksModule {
  static with(policy: DeliveryPolicy): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      providers: [
        { provide: ENDPOINTS, useValue: endpoints },
        { provide: DELIVERY, useValue: makeDeliveries(policy) },
        ...deciderHandlers<EndpointCommand>(ENDPOINTS, (command) => command.accountId, [
          CreateWebhook,
          UpdateWebhook,
          PauseWebhook,
          DeleteWebhook,
          RequestWebhookTest,
        ]),
        ...deciderHandlers<DeliveryCommand>(DELIVERY, (command) => command.deliveryId, [MakeDeliveryDue]),
        CancelDeliveriesHandler,
        SecretBox,
      ],
      exports: [DELIVERY, SecretBox],
    };
  }
}
