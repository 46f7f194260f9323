import type { Dispatcher } from 'undici';

/** A handler of undici that hands everything over to another, so that a part of it can be replaced. */
export const delegateTo = (handler: Dispatcher.DispatchHandler): Required<Dispatcher.DispatchHandler> => ({
  onRequestStart: (...args) => handler.onRequestStart?.(...args),
  onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
  onResponseStarted: () => handler.onResponseStarted?.(),
  onResponseStart: (...args) => handler.onResponseStart?.(...args),
  onResponseData: (...args) => handler.onResponseData?.(...args),
  onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
  onResponseError: (...args) => handler.onResponseError?.(...args),
  onBodySent: (...args) => handler.onBodySent?.(...args),
  onRequestSent: () => handler.onRequestSent?.(),
});
