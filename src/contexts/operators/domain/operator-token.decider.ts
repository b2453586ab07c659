import { command, type Outcome } from '../../../kernel/command.js';
import { accept, type Decider } from '../../../kernel/decider.js';

export class IssueOperatorToken extends command('IssueOperatorToken')<
  { hash: string },
  Outcome<OperatorTokenState, OperatorTokenIssued, never>
> {}

export interface OperatorTokenIssued {
  readonly type: 'OperatorTokenIssued';
  readonly data: { readonly hash: string };
}

export interface OperatorTokenState {
  readonly hash: string | undefined;
}

export const operatorTokenDecider: Decider<
  OperatorTokenState,
  IssueOperatorToken,
  OperatorTokenIssued,
  never
> = {
  initialState: { hash: undefined },

  decide(state, { hash }) {
    return state.hash === hash ? accept() : accept({ type: 'OperatorTokenIssued', data: { hash } });
  },

  evolve(_state, event) {
    return { hash: event.data.hash };
  },
};
