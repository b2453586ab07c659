import { useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import type { PanelSession, SessionState } from '../../sdk/src/generated/panel.js';
import { call, whenSignedOut } from './client.js';
import { connection } from './connection.js';

/** Whose data the cache holds. */
export const ownerOf = ({ kind, person_id, account }: PanelSession) =>
  JSON.stringify([kind, person_id, account?.account_id]);

/** Undefined while nobody knows yet; null when signed out. */
type Known = PanelSession | null | undefined;

interface SessionContext {
  readonly session: Known;
  readonly versions: SessionState['versions'] | undefined;
  /** The session ended by itself: after its time, in another tab, or because somebody ended it. */
  readonly hasEnded: boolean;
  /** Why the session is unknown; the page offers to ask again. */
  readonly problem: Error | undefined;
  readonly ask: () => void;
  /** Asks again, in all tabs, because the session shows something else now. */
  readonly changed: () => void;
  readonly signedIn: (state: SessionState) => void;
  readonly signOut: (everywhere?: boolean) => Promise<void>;
}

const Context = createContext<SessionContext | undefined>(undefined);

/** Signing out in one tab signs out all. */
const tabs = new BroadcastChannel('svc-panel-session');

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<SessionState>();
  const [problem, setProblem] = useState<Error>();
  const [hasEnded, setHasEnded] = useState(false);
  const owner = useRef<string>(undefined);
  const forget = useCallback(() => {
    if (owner.current) setHasEnded(true);
    owner.current = undefined;
    setState((before) => before && { ...before, session: null });
    client.clear();
  }, [client]);
  const learn = useCallback(
    (next: SessionState) => {
      if (next.session === null) forget();
      else if (owner.current !== ownerOf(next.session)) {
        // Another tab may have signed in as somebody else.
        client.clear();
        owner.current = ownerOf(next.session);
      }
      setProblem(undefined);
      setState(next);
    },
    [client, forget],
  );
  const ask = useCallback(() => void call('getSession').then(learn, setProblem), [learn]);
  const changed = useCallback(() => {
    ask();
    tabs.postMessage('changed');
  }, [ask]);
  const signedIn = useCallback(
    (next: SessionState) => {
      setHasEnded(false);
      learn(next);
      tabs.postMessage('changed');
    },
    [learn],
  );
  const signOut = useCallback(
    async (everywhere = false) => {
      const next = await call('endSession', { body: { everywhere } });
      owner.current = undefined;
      learn(next);
      tabs.postMessage('changed');
    },
    [learn],
  );
  useEffect(() => {
    // Signed out, or the visit of an operator is over.
    whenSignedOut(() => owner.current && ask());
    ask();
    tabs.addEventListener('message', ask);
    const isBack = connection.whenBack(() => {
      ask();
      void client.invalidateQueries();
    });
    return () => {
      isBack();
      tabs.removeEventListener('message', ask);
    };
  }, [ask, client]);
  useEffect(() => (state?.session ? connection.watch() : undefined), [state?.session]);
  const { session, versions } = state ?? {};
  const value = { session, versions, hasEnded, problem, ask, changed, signedIn, signOut };
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

export function useSessionState(): SessionContext {
  const context = useContext(Context);
  if (!context) throw new Error('there is no SessionProvider');
  return context;
}

/** The signed-in person. */
export function useSession(): PanelSession {
  const { session } = useSessionState();
  if (!session) throw new Error('nobody is signed in');
  return session;
}

/** Undefined if the person may; else the role that may. */
export function useMissingRole(scope: string): string | undefined {
  const { scopes } = useSession();
  if (scopes.includes(scope)) return undefined;
  return scope === 'panel:members' ? 'owner' : 'developer';
}
