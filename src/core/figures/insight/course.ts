/** How a level may change, by unit of time, before anything is known. Levels are logarithms. */
export interface CourseKind {
  /** As a standard deviation. */
  drift: number;
  growth: { mean: number; deviation: number };
}

export interface LevelAhead {
  level: number;
  growth: number;
  /** Returns the variance of the level some time later, without the drift until then. */
  variance: (later: number) => number;
}

export interface CourseOfLevel {
  /** The expected level at a time that is not before the last value. */
  ahead: (at: number) => LevelAhead;
  /** Moves the level toward a value. `limit` bounds what one value says. */
  learn: (at: number, value: number, limit?: number) => void;
  /** The logarithm of the likelihood of the values so far. */
  evidence: () => number;
}

/**
 * Follows a level and its growth from value to value: Kalman, “A New Approach to Linear Filtering and Prediction Problems”
 * (1960).
 * @param first the first value, if there is one
 * @param noise the variance of a value around its level
 * @param ofFirst the variance of the level at first
 */
export function createCourse(
  { drift, growth: expected }: CourseKind,
  first: { at: number; value: number } | undefined,
  noise: number,
  ofFirst = noise,
): CourseOfLevel {
  let [at, level, growth] = [first?.at ?? 0, first?.value ?? 0, expected.mean];
  let [ofLevel, ofBoth, ofGrowth] = [ofFirst, 0, expected.deviation ** 2];
  let evidence = 0;
  const ahead = (time: number): LevelAhead & { ofLevel: number; ofBoth: number } => {
    const step = time - at;
    const both = ofBoth + step * ofGrowth;
    const own = ofLevel + 2 * step * ofBoth + step ** 2 * ofGrowth + drift ** 2 * step;
    return {
      level: level + growth * step,
      growth,
      variance: (later) => own + 2 * later * both + later ** 2 * ofGrowth,
      ofLevel: own,
      ofBoth: both,
    };
  };
  return {
    ahead,
    evidence: () => evidence,
    learn: (time, value, limit = Number.POSITIVE_INFINITY) => {
      const before = ahead(time);
      const error = Math.max(-limit, Math.min(limit, value - before.level));
      const variance = before.ofLevel + noise;
      const [gain, gainOfGrowth] = [before.ofLevel / variance, before.ofBoth / variance];
      evidence -= (Math.log(variance) + error ** 2 / variance) / 2;
      at = time;
      level = before.level + gain * error;
      growth += gainOfGrowth * error;
      ofGrowth -= gainOfGrowth * before.ofBoth;
      ofBoth = before.ofBoth - gain * before.ofBoth;
      ofLevel = before.ofLevel - gain * before.ofLevel;
    },
  };
}

/** The probabilities of courses that were equally likely before they learned the same values. */
export function weightsOf(courses: readonly CourseOfLevel[]): number[] {
  const evidence = courses.map((course) => course.evidence());
  const likeliest = Math.max(...evidence);
  const merits = evidence.map((one) => Math.exp(one - likeliest));
  const all = merits.reduce((sum, one) => sum + one, 0);
  return merits.map((one) => one / all);
}
