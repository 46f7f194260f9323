import { appMethods } from './app.ts';
import type { Method } from './call.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { peopleMethods } from './people.ts';
import { viewMethods } from './views.ts';

export function createMethods(openTicket: (() => string) | undefined): Record<string, Method> {
  return {
    ...appMethods(openTicket),
    ...chatMethods,
    ...conversationMethods,
    ...fileMethods,
    ...peopleMethods,
    ...viewMethods,
  };
}
