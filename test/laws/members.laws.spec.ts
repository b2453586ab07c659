import fc from 'fast-check';
import { memberDecider } from '../../src/contexts/members/domain/member.decider.js';
import { MEMBER_ROLES, THEMES } from '../../src/contexts/members/domain/member.events.js';
import type { MemberCommand } from '../../src/contexts/members/domain/member.commands.js';
import {
  IssuePanelLink,
  panelLinkDecider,
  UsePanelLink,
  type PanelLinkCommand,
} from '../../src/contexts/members/domain/panel-link.decider.js';
import { keepsTheLaws, live } from '../kit/decider-laws.js';
import * as the from '../kit/examples/members.js';

const ids = fc.constantFrom(the.BEA, the.CARL, 'dora', 'emil');
const names = fc.constantFrom('bea', 'carl', 'constructor', 'toString');
const roles = fc.constantFrom(...MEMBER_ROLES);
const commands: fc.Arbitrary<MemberCommand> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(ids, names, roles).map((given) => the.invite(...given)) },
  { weight: 2, arbitrary: fc.tuple(roles, ids).map((given) => the.changeRole(...given)) },
  ids.map((id) => the.remove(id)),
  fc
    .tuple(fc.constantFrom('hour', 'at_once'), fc.nat({ max: 3 }), ids)
    .map(([pace, ms, id]) => the.chooseAlerts({ pace }, ms, id)),
  fc.tuple(fc.nat({ max: 4 }), ids).map(([generation, id]) => the.endSessions(generation, id)),
  fc.tuple(fc.constantFrom(...THEMES), ids).map(([theme, id]) => the.chooseTheme(theme, id)),
  fc.tuple(fc.constantFrom('a', 'b', 'c'), ids).map(([box, id]) => the.setPassword(box, `of ${box}`, id)),
);

describe('the members of every account', () => {
  keepsTheLaws(memberDecider, commands);

  it('always have an owner once they have one, and one person per name', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 80 }), (sequence) => {
        let hadOwner = false;
        const owners = new Map<string, string>();
        for (const { after } of live(memberDecider, sequence)) {
          const hasOwner = Object.values(after.members).some(({ role }) => role === 'owner');
          if (hadOwner) expect(hasOwner).toBe(true);
          hadOwner ||= hasOwner;
          for (const [name, id] of Object.entries(after.names)) {
            expect(owners.get(name) ?? id).toBe(id);
            owners.set(name, id);
          }
        }
      }),
    );
  });
});

const hashes = fc.constantFrom('first', 'second', 'third');
const linkCommands: fc.Arbitrary<PanelLinkCommand> = fc.oneof(
  fc.tuple(hashes, fc.integer({ min: 1, max: 10 })).map(([hash, ttl]) => {
    const link = { hash, user: { kind: 'operator', name: 'olga' }, expiresAt: the.later(ttl) } as const;
    return new IssuePanelLink({ linkId: the.LINK_ID, link, at: the.NOON, by: the.by });
  }),
  fc.tuple(hashes, fc.nat({ max: 12 }), fc.nat({ max: 3 })).map(([hash, ms, session]) => {
    return new UsePanelLink({
      linkId: the.LINK_ID,
      hash,
      sessionId: `session-${session}`,
      at: the.later(ms),
      by: the.by,
    });
  }),
);

describe('every sign-in link', () => {
  keepsTheLaws(panelLinkDecider, linkCommands);

  it('is used once after each issue, before its expiry', () => {
    fc.assert(
      fc.property(fc.array(linkCommands, { maxLength: 60 }), (sequence) => {
        for (const { before, command, events } of live(panelLinkDecider, sequence)) {
          if (!events.some(({ type }) => type === 'PanelLinkUsed')) continue;
          expect(before.status).toBe('open');
          expect(before.status !== 'absent' && command.at < before.expiresAt).toBe(true);
        }
      }),
    );
  });
});
