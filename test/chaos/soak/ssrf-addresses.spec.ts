import { makeAddressRule, PUBLIC_ONLY } from '../../../src/adapters/http/target/address-rule.js';
import { compareWithOracle } from '../../kit/address-oracle.js';

const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 32);

describe('refusing addresses that are not public, at length', () => {
  it(`agrees with the oracle about a million random addresses (seed ${SEED})`, () => {
    const { disagreements } = compareWithOracle(makeAddressRule(PUBLIC_ONLY), SEED, 1_000_000);
    expect(disagreements).toEqual([]);
  }, 180_000);
});
