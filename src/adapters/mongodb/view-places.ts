import { ObjectId } from 'mongodb';
import type { ViewDefinition } from '../../kernel/projection.js';

/** Collection of one build: `job_view_v3_6740…`. */
export type Place = string;

/** Never given before, whatever was lost. */
export function newPlace(view: ViewDefinition): Place {
  return `${prefixOf(view)}${view.version}_${new ObjectId().toHexString()}`;
}

/** The version of the view that is in the place; undefined for other collections. */
export function versionIn(place: Place, view: ViewDefinition): number | undefined {
  const prefix = prefixOf(view);
  const rest = place.startsWith(prefix) ? /^(\d+)_[0-9a-f]{24}$/.exec(place.slice(prefix.length)) : null;
  return rest ? Number(rest[1]) : undefined;
}

function prefixOf({ name }: ViewDefinition): string {
  return `${name.replaceAll('-', '_')}_v`;
}
