import { registerHooks } from 'node:module';

// Vitest reports each import of each module of each worker to its main process, for a watch mode that is unused here. That costs
// more than reading the module. An import that names its file needs no search, so it is resolved before Vitest sees it.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : nextResolve(specifier, context),
});
