/** Noise that is the same for the same seed. */
export interface Noise {
  /** Between 0 and 1. */
  uniform(): number;
  /** Normal, with mean 0 and standard deviation 1. */
  normal(): number;
}

/** Mulberry32, and normal noise by Box and Muller. */
export function createNoise(seed: number): Noise {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
