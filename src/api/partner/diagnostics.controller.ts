import { Controller, Inject } from '@nestjs/common';
import { Clock } from '../../ports/clock.port.js';
import { answer } from '../../http/answer.js';
import { Operation } from '../../http/operation.js';
import { PRODUCT_VERSION } from '../../http/surface.js';
import { isReady, Readiness } from '../../ports/readiness.port.js';
import { Caller } from '../../http/request.js';
import { CAPABILITIES, getCapabilities, getHealth } from './diagnostics.operations.js';
import type { PartnerPrincipal } from './partner.authenticator.js';

@Controller()
export class PartnerDiagnosticsController {
  constructor(
    private readonly readiness: Readiness,
    private readonly clock: Clock,
    @Inject(PRODUCT_VERSION) private readonly product: string,
  ) {}

  @Operation(getHealth)
  async health() {
    const checks = await this.readiness.check();
    return answer('OK', { status: isReady(checks) ? 'ok' : 'degraded', checks, time: this.clock.now() });
  }

  @Operation(getCapabilities)
  capabilities(@Caller() { environment }: PartnerPrincipal) {
    const versions = { product: this.product, contract: 'v1', managed_contract: 'v1' };
    return answer('OK', { ...CAPABILITIES, environment, versions });
  }
}
