import { Field } from '../../../http/validation/field.js';
import { object, objects } from '../../../http/validation/rules.js';
import { StoredEvent } from '../../resources/stored-event.resource.js';
import { NamedActor } from '../actor-names.js';

/** A stored event, and who caused it. */
export class PanelEvent extends StoredEvent {
  @Field(object(() => NamedActor)) actor!: NamedActor;

  static override readonly example: PanelEvent = { ...StoredEvent.example, actor: NamedActor.example };
}

export class PanelEvents {
  @Field(objects(() => PanelEvent, 1_000), { description: 'Oldest first' })
  items!: readonly PanelEvent[];

  static readonly example: PanelEvents = { items: [PanelEvent.example] };
}
