import { Dialog, FormButtons } from '../look/dialogs.js';
import { useState, type FormEvent } from 'react';
import type { CreateWebhookBody, Webhook } from '../../sdk/src/generated/integration.js';
import { useChange } from '../api/reads.js';
import { Choices, Presets } from '../keys/choices.js';
import { EVENT_GROUPS, EVENT_PRESETS, EVENT_SENTENCES } from './event-groups.js';

interface WebhookFormProps {
  /** Absent: a new one. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  readonly onSecret?: (secret: string) => void;
}

type EventTypes = CreateWebhookBody['event_types'];

/** Creates a webhook, or changes its settings. */
export function WebhookForm({ webhook, onClose, onSecret }: WebhookFormProps) {
  const create = useChange('createWebhook', 'webhooks');
  const update = useChange('updateWebhook', 'webhooks', 'overview');
  const [initial] = useState<readonly string[]>(webhook?.event_types ?? EVENT_PRESETS['How jobs end']!);
  const [chosen, setChosen] = useState(initial);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const description = String(form.get('description')).trim();
    const settings = {
      url: String(form.get('url')).trim(),
      event_types: chosen as EventTypes,
      ordered: form.get('ordered') === 'on',
      ...((description || webhook) && { description }),
    };
    if (webhook)
      update.mutate({ body: { webhook_id: webhook.webhook_id, ...settings } }, { onSuccess: onClose });
    else create.mutate({ body: settings }, { onSuccess: ({ secret }) => onSecret?.(secret) });
  };
  const error = create.error ?? update.error;
  return (
    <Dialog title={webhook ? 'Change the webhook' : 'Create a webhook'} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          Address
          <input name="url" type="url" required maxLength={2048} defaultValue={webhook?.url} />
        </label>
        <label className="field">
          Description
          <input name="description" maxLength={160} defaultValue={webhook?.description} />
        </label>
        <Presets presets={EVENT_PRESETS} chosen={chosen} onChange={setChosen} />
        {EVENT_GROUPS.map(([title, types]) => (
          <details key={title} open={types.some((type) => initial.includes(type))}>
            <summary>
              {title} <span className="quiet small">{countIn(types, chosen)}</span>
            </summary>
            <Choices values={types} sentences={EVENT_SENTENCES} chosen={chosen} onChange={setChosen} />
          </details>
        ))}
        <label className="choice">
          <input type="checkbox" name="ordered" defaultChecked={webhook?.ordered ?? false} />
          <span>
            In order: one event of a job or computer at a time
            <small>Its next event waits until this one is delivered or has failed; others go on.</small>
          </span>
        </label>
        <FormButtons
          action={webhook ? 'Save' : 'Create'}
          disabled={chosen.length === 0}
          error={error}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

const countIn = (types: readonly string[], chosen: readonly string[]) =>
  `${types.filter((type) => chosen.includes(type)).length} of ${types.length}`;
