import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { Session } from './session.ts';
import type { PageState } from './state.ts';

export interface Page {
  session: Session;
  state: PageState;
}

export const sessionOfPage = new Session();

/** The session and its current state, for every component below. */
export const PageContext = createContext<Page>({ session: sessionOfPage, state: sessionOfPage.state });

export function usePage(): Page {
  return useContext(PageContext);
}

/** Returns the one session of this page. The calling component is drawn again whenever its state changes. */
export function useSession(): Page {
  const [state, setState] = useState(sessionOfPage.state);
  useEffect(() => sessionOfPage.watch(() => setState(sessionOfPage.state)), []);
  return { session: sessionOfPage, state };
}
