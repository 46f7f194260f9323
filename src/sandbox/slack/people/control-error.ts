/** Something that a person cannot do: no such button, not a member, no modal open. `code` is for programs. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
