import type { Type } from '@nestjs/common';
import { AgentModule } from '../../src/api/agent/agent.module.js';
import { ReportedEvent } from '../../src/api/agent/agent.requests.js';
import { IntegrationModule } from '../../src/api/integration/integration.module.js';
import { ExportedEvent } from '../../src/api/operator/export-import/export-import.requests.js';
import { OperatorModule } from '../../src/api/operator/operator.module.js';
import { PanelModule } from '../../src/api/panel/panel.module.js';
import { PartnerModule } from '../../src/api/partner/partner.module.js';
import type { OperationSpec } from '../../src/http/operation.js';
import { fieldsOf } from '../../src/http/validation/field.js';

const MODULES = [IntegrationModule, PartnerModule, AgentModule, OperatorModule, PanelModule];
/** Items of batches, validated one by one. */
const ITEMS: readonly Type[] = [ReportedEvent, ExportedEvent];

/** The classes of all queries and bodies, and those nested in them. */
export function requestClasses(): readonly Type[] {
  const found = new Set<Type>();
  const add = (type: Type | undefined) => {
    if (!type || found.has(type)) return;
    found.add(type);
    for (const { rule } of fieldsOf(type).values()) add(rule.nested?.());
  };
  for (const { query, body } of MODULES.flatMap(operationsOf)) [query, body].forEach(add);
  ITEMS.forEach(add);
  return [...found];
}

function operationsOf(module: Type): readonly OperationSpec[] {
  const controllers = Reflect.getMetadata('controllers', module) as readonly Type[];
  return controllers.flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const method = (prototype as Record<string, object>)[name]!;
      const config = Reflect.getMetadata('__fastify_route_config__', method) as
        { operation: OperationSpec } | undefined;
      return config ? [config.operation] : [];
    }),
  );
}
