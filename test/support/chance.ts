import { Random } from '../fire/power-loss/random.ts'

/** Returns an integer from 0 to `size` - 1. */
export type Chance = (size: number) => number

/** Returns a pseudo-random generator that repeats for the same seed. */
export function randomFrom(seed: number): Chance {
  const random = new Random(seed)
  return (size) => random.below(size)
}
