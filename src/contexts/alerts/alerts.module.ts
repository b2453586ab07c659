import { Module, type DynamicModule } from '@nestjs/common';
import { AlertSignals, AlertWatch } from './index.js';
import { ALERT_SENDING, type AlertSending } from './ports.js';
import { AlertSender } from './alert-sender.js';

@Module({})
export class AlertsModule {
  static with(sending: AlertSending): DynamicModule {
    return {
      module: AlertsModule,
      global: true,
      providers: [{ provide: ALERT_SENDING, useValue: sending }, AlertSender, AlertWatch, AlertSignals],
      exports: [AlertSender, AlertWatch, AlertSignals],
    };
  }
}
