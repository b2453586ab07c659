import { storyOf } from '../../../../test/kit/decider.js';
import * as the from '../../../../test/kit/examples/webhooks.js';
import { NOON } from '../../../../test/kit/recorded.js';
import { endpointDecider } from './endpoint.decider.js';
import { PUBLIC_EVENT_TYPES } from './endpoint.events.js';
import { signingSecrets, subscribersTo, webhookOf } from './endpoint.state.js';

const { given } = storyOf(endpointDecider);
const DAY = 86_400_000;
const twenty = Array.from({ length: 20 }, (_, n) => the.created(`webhook-${n}`, the.elsewhere(`h${n}`)));

describe('creating a webhook', () => {
  it('stores its settings and its sealed secret', () => {
    given().when(the.create()).then(the.created());
  });

  it('stores every event type once, in the order of the catalogue', () => {
    const mixed = { ...the.settings, eventTypes: ['job.failed', 'job.created', 'job.failed'] as const };
    const inOrder = { ...the.settings, eventTypes: ['job.created', 'job.failed'] as const };
    given().when(the.create(the.WEBHOOK_ID, mixed)).then(the.created(the.WEBHOOK_ID, inOrder));
    given()
      .when(the.create(the.WEBHOOK_ID, { ...the.settings, eventTypes: [] }))
      .thenRejected('EventTypesMissing');
  });

  it('is refused if another webhook of the account has the URL, active or paused', () => {
    given(the.created()).when(the.create(the.OTHER_ID)).thenRejected('WebhookDuplicate');
    given(the.created(), the.paused()).when(the.create(the.OTHER_ID)).thenRejected('WebhookDuplicate');
    given(the.created(), the.deleted).when(the.create(the.OTHER_ID)).then(the.created(the.OTHER_ID));
  });

  it('compares URLs after normalisation', () => {
    const written = { ...the.settings, url: 'HTTPS://hooks.example.com:443' };
    given(the.created()).when(the.create(the.OTHER_ID, written)).thenRejected('WebhookDuplicate');
  });

  it('is refused beyond twenty', () => {
    given(...twenty)
      .when(the.create())
      .thenRejected('WebhookLimitReached');
    given(...twenty.slice(1))
      .when(the.create())
      .then(the.created());
    given(...twenty, { type: 'WebhookDeleted', data: { webhookId: 'webhook-7' } })
      .when(the.create())
      .then(the.created());
  });

  it('writes nothing when repeated', () => {
    given(the.created()).when(the.create()).thenNothing();
  });
});

describe('updating a webhook', () => {
  it('stores only the changes', () => {
    given(the.created())
      .when(the.update({ description: 'all orders', eventTypes: PUBLIC_EVENT_TYPES }))
      .then(the.updated({ description: 'all orders' }));
    given(the.created())
      .when(the.update({ ...the.settings }))
      .thenNothing();
    given(the.created())
      .when(the.update({ eventTypes: ['job.failed'] }))
      .then(the.updated({ eventTypes: ['job.failed'] }));
    given(the.created())
      .when(the.update({ eventTypes: [] }))
      .thenRejected('EventTypesMissing');
  });

  it('changes the URL, but not to that of another webhook', () => {
    const { url, target } = the.elsewhere('other');
    given(the.created()).when(the.update({ url, target })).then(the.updated({ url, target }));
    given(the.created(), the.created(the.OTHER_ID, the.elsewhere('other')))
      .when(the.update({ url, target }))
      .thenRejected('WebhookDuplicate');
  });

  it('pauses and resumes it', () => {
    given(the.created())
      .when(the.update({ status: 'paused' }))
      .then(the.paused('requested'));
    given(the.created(), the.paused())
      .when(the.update({ status: 'active' }))
      .then(the.resumed);
    given(the.created(), the.paused())
      .when(the.update({ status: 'paused' }))
      .thenNothing();
  });

  it('applies all requested changes at once', () => {
    given(the.created())
      .when(the.update({ description: 'x', status: 'paused', secret: the.sealed('second') }))
      .then(the.updated({ description: 'x' }), the.rotated('second', 2, the.later(DAY)), the.paused());
  });

  it('is refused for a webhook that is unknown or deleted', () => {
    given()
      .when(the.update({ description: 'x' }))
      .thenRejected('WebhookNotFound');
    given(the.created(), the.deleted)
      .when(the.update({ description: 'x' }))
      .thenRejected('WebhookNotFound');
  });
});

describe('rotating a secret', () => {
  const signing = (at: string, ...events: Parameters<typeof given>) => {
    const webhook = webhookOf(given(the.created(), ...events).state(), the.WEBHOOK_ID)!;
    return [webhook.secretVersion, ...signingSecrets(webhook, at).map(({ box }) => box)];
  };

  it('keeps the old secret signing for 24 hours', () => {
    const once = the.rotated('second', 2, the.later(DAY));
    expect(signing(NOON)).toEqual([1, 'first']);
    expect(signing(the.later(DAY - 1), once)).toEqual([2, 'second', 'first']);
    expect(signing(the.later(DAY), once)).toEqual([2, 'second']);
  });

  it('drops the oldest secret when repeated within that time', () => {
    const twice = [the.rotated('second', 2, the.later(DAY)), the.rotated('third', 3, the.later(DAY + 1))];
    expect(signing(the.later(1), ...twice)).toEqual([3, 'third', 'second']);
  });

  it('writes nothing for the current secret', () => {
    given(the.created(), the.rotated('second', 2, the.later(DAY)))
      .when(the.update({ secret: the.sealed('second') }))
      .thenNothing();
  });
});

describe('pausing an endpoint that answered 410', () => {
  it('stores the reason, once', () => {
    given(the.created()).when(the.pauseGone).then(the.paused('endpoint_gone'));
    given(the.created(), the.paused()).when(the.pauseGone).thenNothing();
    given(the.created(), the.deleted).when(the.pauseGone).thenRejected('WebhookNotFound');
  });
});

describe('pausing an endpoint that fails for days', () => {
  const days = (count: number) => the.pauseFailing(the.later(count * DAY));

  it('waits until five days after a resume', () => {
    const resumed = [the.created(), the.paused(), the.resumed];
    given(...resumed)
      .when(days(4))
      .thenNothing();
    given(...resumed)
      .when(days(5))
      .then(the.paused('failing'));
    given(the.created()).when(days(0)).then(the.paused('failing'));
  });
});

describe('deleting a webhook', () => {
  it('removes it', () => {
    given(the.created()).when(the.remove).then(the.deleted);
    given(the.created(), the.deleted).when(the.remove).thenRejected('WebhookNotFound');
    expect(given(the.created(), the.deleted).state().webhooks).toEqual({});
  });
});

describe('settling a deleted webhook', () => {
  it('is recorded once when no delivery is pending', () => {
    given(the.created(), the.deleted).when(the.settle).then(the.settled);
    given(the.created(), the.deleted, the.settled).when(the.settle).thenNothing();
    given(the.created()).when(the.settle).thenNothing();
  });
});

describe('testing a webhook', () => {
  it('stores an event of its own', () => {
    given(the.created()).when(the.test()).then(the.tested());
    given(the.created(), the.tested()).when(the.test()).thenNothing();
    given(the.created(), the.tested()).when(the.test('again')).then(the.tested('again'));
  });

  it('is refused while it is paused', () => {
    given(the.created(), the.paused()).when(the.test()).thenRejected('WebhookPaused');
  });
});

describe('finding the subscribers of an event type', () => {
  it('finds active webhooks subscribed to the type', () => {
    const other = the.created(the.OTHER_ID, the.elsewhere('other'));
    const ids = (...events: Parameters<typeof given>) =>
      subscribersTo(given(...events).state(), 'job.failed').map(({ webhookId }) => webhookId);
    expect(ids(the.created(), other)).toEqual([the.WEBHOOK_ID, the.OTHER_ID]);
    expect(ids(the.created(), other, the.paused())).toEqual([the.OTHER_ID]);
    expect(ids(the.created(), the.updated({ eventTypes: ['job.created'] }), other)).toEqual([the.OTHER_ID]);
  });
});

describe('recovering what a webhook missed', () => {
  it('starts one recovery at a time', () => {
    given(the.created()).when(the.recover(the.RECOVERY_ID, 7)).then(the.recovering(7));
    given(the.created(), the.recovering()).when(the.recover()).thenNothing();
    given(the.created(), the.recovering()).when(the.recover('another')).thenRejected('RecoveryRunning');
  });

  it('starts another one after the end of the first', () => {
    const { data } = the.recovering();
    given(the.created(), the.recovering(), the.recovered(7))
      .when(the.recover('another'))
      .then({ type: 'WebhookRecoveryStarted', data: { ...data, recoveryId: 'another' } });
  });

  it('starts with a resume that asks for it, and blocks a second one', () => {
    const { since, until } = the.interval;
    const recovery = { recoveryId: the.RECOVERY_ID, since, until };
    const resume = the.update({ status: 'active', recovery });
    const eventTypes = PUBLIC_EVENT_TYPES.filter((type) => type !== 'webhook.test');
    const started = { ...the.recovering().data, eventTypes };
    given(the.created(), the.paused())
      .when(resume)
      .then(the.resumed, { type: 'WebhookRecoveryStarted', data: started });
    given(the.created()).when(resume).thenNothing();
    given(the.created(), the.recovering(), the.paused()).when(resume).thenRejected('RecoveryRunning');
  });

  it('is refused for a webhook that is paused or deleted', () => {
    given(the.created(), the.paused()).when(the.recover()).thenRejected('WebhookPaused');
    given(the.created(), the.deleted).when(the.recover()).thenRejected('WebhookNotFound');
  });

  it('stores progress and end of the running recovery, once', () => {
    const running = [the.created(), the.recovering()];
    given(...running)
      .when(the.noteRecovery(3, the.later(9)))
      .then(the.advanced(3, the.later(9)));
    given(...running, the.advanced(3, the.later(9)))
      .when(the.noteRecovery(3, the.later(9)))
      .thenNothing();
    given(...running)
      .when(the.noteRecovery(4))
      .then(the.recovered(4));
    given(...running, the.recovered(4))
      .when(the.noteRecovery(4))
      .thenNothing();
    given(...running)
      .when(the.noteRecovery(4, undefined, 'another'))
      .thenNothing();
  });

  it('remembers how far it has come', () => {
    const state = given(the.created(), the.recovering(), the.advanced(3, the.later(9))).state();
    expect(webhookOf(state, the.WEBHOOK_ID)!.recovery).toEqual({
      ...{ recoveryId: the.RECOVERY_ID, ...the.interval, recovered: 3, upTo: the.later(9) },
    });
  });
});
