/** Evaluates budgets in a process with the options of the image, so that its memory is that of the bot. */
import { z } from 'zod';
import { reportBudgets } from './budgets.ts';

const settings = z.object({ PEOPLE: z.coerce.number().int(), BUDGETS: z.coerce.number().int() }).parse(process.env);
process.on('disconnect', () => process.exit(0));
process.send?.(await reportBudgets(settings.PEOPLE, settings.BUDGETS));
