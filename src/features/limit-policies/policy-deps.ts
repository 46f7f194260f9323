import type { LimitDeps } from '../limits/core/limits-deps.ts';
import type { PolicyDatabase } from './store/policy-tables.ts';

export type PolicyDeps = Omit<LimitDeps, 'db' | 'policies'> & { db: PolicyDatabase };
