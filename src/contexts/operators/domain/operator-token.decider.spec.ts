import { storyOf } from '../../../../test/kit/decider.js';
import { metadata, NOON } from '../../../../test/kit/recorded.js';
import {
  IssueOperatorToken,
  operatorTokenDecider,
  type OperatorTokenIssued,
} from './operator-token.decider.js';

const { given } = storyOf(operatorTokenDecider);
const issued = (hash: string): OperatorTokenIssued => ({ type: 'OperatorTokenIssued', data: { hash } });
const issue = (hash: string) => new IssueOperatorToken({ hash, at: NOON, by: metadata });

describe('issuing an operator token', () => {
  it('makes it the only valid one', () => {
    given().when(issue('h1')).then(issued('h1'));
    given(issued('h1')).when(issue('h2')).then(issued('h2'));
    expect(given(issued('h1'), issued('h2')).state()).toEqual({ hash: 'h2' });
  });

  it('writes nothing when repeated', () => {
    given(issued('h1')).when(issue('h1')).thenNothing();
  });
});
