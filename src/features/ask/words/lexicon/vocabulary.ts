/** Words and phrases by what they mean, separated by `|`. */
export type Vocabulary = Readonly<Record<string, string>>;
