import { Controller } from '@nestjs/common';
import { Registry } from 'prom-client';
import { BareAnswer } from '../../http/answer.js';
import { Operation } from '../../http/operation.js';
import { operator } from '../../http/surfaces.js';

/** Prometheus text; wants the operator token unless the installation opens the operation `metrics`. */
@Controller()
export class MetricsController {
  constructor(private readonly registry: Registry) {}

  @Operation({
    id: 'metrics',
    surface: operator,
    auth: 'remembered',
    route: 'GET /metrics',
    summary: 'Measurements of this process',
    hidden: true,
    success: { status: 200, description: 'Prometheus text.' },
  })
  async metrics() {
    return new BareAnswer(200, await this.registry.metrics(), { 'content-type': this.registry.contentType });
  }
}
