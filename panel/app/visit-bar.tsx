import { Eye } from 'lucide-react';
import { useLocation } from 'wouter';
import { useChange } from '../api/reads.js';
import { useSessionState } from '../api/session.js';
import { Foreign, Problem, Time } from '../look/parts.js';

/** Tells an operator that this is the account of others, and leads back. */
export function VisitBar() {
  const { session, changed } = useSessionState();
  const [, navigate] = useLocation();
  const leave = useChange('leaveAccount');
  if (!session?.visit_ends_at) return null;
  const back = () => {
    navigate('/accounts');
    changed();
  };
  return (
    <div className="box notice row" role="status">
      <Eye aria-hidden="true" />
      <span>
        You see <Foreign text={session.account?.name} /> as its viewers do; its audit shows this visit. It
        ends <Time at={session.visit_ends_at} />.
      </span>
      <button type="button" disabled={leave.isPending} onClick={() => leave.mutate({}, { onSuccess: back })}>
        Leave
      </button>
      {leave.error && <Problem error={leave.error} />}
    </div>
  );
}
