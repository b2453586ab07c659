import {
  operatorTokenDecider,
  type IssueOperatorToken,
  type OperatorTokenIssued,
  type OperatorTokenState,
} from './domain/operator-token.decider.js';
import type { Aggregate } from '../../event-sourcing/index.js';

export { IssueOperatorToken, type OperatorTokenIssued } from './domain/operator-token.decider.js';

export const OPERATOR_TOKEN_ID = '00000000-0000-0000-0000-000000000000';

export const operatorTokens: Aggregate<OperatorTokenState, IssueOperatorToken, OperatorTokenIssued, never> = {
  category: 'operatorToken',
  decider: operatorTokenDecider,
};
