import * as the from '../../../../test/kit/examples/webhooks.js';
import { recorded } from '../../../../test/kit/recorded.js';
import type { DeliveryEvent } from '../../../contexts/webhooks/index.js';
import { attemptsOf } from './delivery.resource.js';

describe('listing the attempts of a delivery', () => {
  const resultsOf = (...events: DeliveryEvent[]) =>
    attemptsOf(recorded(the.DELIVERY_STREAM, ...events)).map(({ attempt, result }) => [attempt, result]);
  const delivered = [the.deliveryCreated, the.started(), the.succeeded()];

  it('begins again when a recovery creates a removed delivery again', () => {
    expect(resultsOf(...delivered, the.deliveryRemoved, the.deliveryCreated, the.started())).toEqual([
      [1, 'in_flight'],
    ]);
  });

  it('goes on counting when a recovery sends it again', () => {
    expect(resultsOf(...delivered, the.requeued, the.started(2))).toEqual([
      [1, 'delivered'],
      [2, 'in_flight'],
    ]);
  });
});
