import { Random } from '../fire/power-loss/random.ts'

/** A whole number from 0 to below `size`. */
export type Chance = (size: number) => number

/** Chances that are the same for the same seed. */
export function randomFrom(seed: number): Chance {
  const random = new Random(seed)
  return (size) => random.below(size)
}
