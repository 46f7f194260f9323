/** What one check came to. `fault`: the bot cannot do its work; `warning`: something will surprise somebody, or was not checked. */
export interface Finding {
  level: 'ok' | 'warning' | 'fault';
  /** What was checked: a setting, or a part of the installation. */
  about: string;
  /** What is so, and after a fault what to do. */
  sentence: string;
}

export const ok = (about: string, sentence: string): Finding => ({ level: 'ok', about, sentence });
export const warning = (about: string, sentence: string): Finding => ({ level: 'warning', about, sentence });
export const fault = (about: string, sentence: string): Finding => ({ level: 'fault', about, sentence });
