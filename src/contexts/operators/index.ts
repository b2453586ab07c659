import { operatorTokenDecider } from './domain/operator-token.decider.js';
import { aggregate } from '../../event-sourcing/index.js';

export { IssueOperatorToken, type OperatorTokenIssued } from './domain/operator-token.decider.js';

export const OPERATOR_TOKEN_ID = '00000000-0000-0000-0000-000000000000';

export const operatorTokens = aggregate({ category: 'operatorToken', decider: operatorTokenDecider });
