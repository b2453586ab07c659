import type { Surface } from '../http/surface.js';
import { agent } from './agent/agent.surface.js';
import { integration } from './integration/integration.surface.js';
import { operator } from './operator/operator.surface.js';
import { panel } from './panel/panel.surface.js';
import { partner } from './partner/partner.surface.js';

/** All surfaces; the first one answers unknown paths. */
export const surfaces: readonly Surface[] = [integration, partner, agent, operator, panel];

export function surfacesOf(hasPanel: boolean): readonly Surface[] {
  return hasPanel ? surfaces : surfaces.filter((surface) => surface !== panel);
}
