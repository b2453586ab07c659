import { ApiError } from '../http/errors/api-error.js';
import { Field, optional } from '../http/validation/field.js';
import { boolean, name } from '../http/validation/rules.js';

export class UpdatePrinterBody {
  @Field(boolean(), optional) enabled?: boolean;
  @Field(name({ min: 0, max: 180 }), { optional: true, description: 'Empty = the detected name again' })
  display_name?: string;
}

/** What is to change. @throws ApiError 400 if nothing is */
export function settingsFrom({ enabled, display_name: displayName }: UpdatePrinterBody) {
  if (enabled === undefined && displayName === undefined) {
    throw new ApiError('invalid', 'enabled or display_name must be given.');
  }
  return { enabled, displayName };
}
