/** `fault`: the bot cannot work; `warning`: a surprise is likely, or it was not checked. */
export interface Finding {
  level: 'ok' | 'warning' | 'fault';
  /** The setting or part of the installation that was checked. */
  about: string;
  /** The state, and after a fault also what to do. */
  sentence: string;
}

export const ok = (about: string, sentence: string): Finding => ({ level: 'ok', about, sentence });
export const warning = (about: string, sentence: string): Finding => ({ level: 'warning', about, sentence });
export const fault = (about: string, sentence: string): Finding => ({ level: 'fault', about, sentence });
