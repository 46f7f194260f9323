/** A request is answered with a status of 400 or more. The message is said to the caller, so it holds nothing of ours. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
