import { parseArgs } from 'node:util';
import { z } from 'zod';

/** Ends the program with this sentence. */
export function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Reads the options that a schema names, or ends the program. @param switches those without a value */
export function readArguments<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  usage: string,
  switches: readonly string[] = [],
): z.infer<z.ZodObject<Shape>> {
  try {
    const options = Object.keys(schema.shape).map(
      (name) => [name, { type: switches.includes(name) ? 'boolean' : 'string' }] as const,
    );
    const result = schema.safeParse(parseArgs({ options: Object.fromEntries(options) }).values);
    return result.success ? result.data : fail(`${z.prettifyError(result.error)}\n${usage}`);
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

/** Explains why a program did not start. @param howToChoose another port */
export function explainStart(error: unknown, port: number, howToChoose: string): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the program that listens there, or choose another one with ${howToChoose}`;
  return error instanceof Error ? error.message : String(error);
}
