import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
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

/**
 * Returns the one session of this page. The calling component is drawn again whenever its state changes: it watches from its first
 * drawing on, not from the frame after it, because a change in between would never be shown.
 */
export function useSession(): Page {
  const [state, setState] = useState(sessionOfPage.state);
  useLayoutEffect(() => sessionOfPage.watch(() => setState(sessionOfPage.state)), []);
  return { session: sessionOfPage, state };
}
