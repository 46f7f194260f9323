/** An impossible action of a person: no such button, not a member, no open modal. `code` is for programs. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
