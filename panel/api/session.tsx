import { useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import type { PanelSession, SessionState } from '../../sdk/src/generated/panel.js';
import { call, whenSignedOut } from './client.js';

/** Undefined while nobody knows yet; null when signed out. */
type Known = PanelSession | null | undefined;

interface SessionContext {
  readonly session: Known;
  readonly versions: SessionState['versions'] | undefined;
  /** Why the session is unknown; the page offers to ask again. */
  readonly problem: Error | undefined;
  readonly ask: () => void;
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
  const forget = useCallback(() => {
    setState((before) => before && { ...before, session: null });
    client.clear();
  }, [client]);
  const ask = useCallback(() => {
    setProblem(undefined);
    call('getSession').then(setState, setProblem);
  }, []);
  const signedIn = useCallback(
    (next: SessionState) => {
      client.clear();
      setState(next);
      tabs.postMessage('changed');
    },
    [client],
  );
  const signOut = useCallback(
    async (everywhere = false) => {
      await call('endSession', { body: { everywhere } });
      forget();
      tabs.postMessage('changed');
    },
    [forget],
  );
  useEffect(() => {
    whenSignedOut(forget);
    ask();
    tabs.addEventListener('message', ask);
    return () => tabs.removeEventListener('message', ask);
  }, [ask, forget]);
  const value = { session: state?.session, versions: state?.versions, problem, ask, signedIn, signOut };
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
