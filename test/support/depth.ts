/**
 * Whether this run is the deep suite (`npm run test:deep`) instead of the gate. The gate takes minutes; the deep suite uses new seeds, more
 * repetitions, every engine and more variants. test/README.md describes both.
 */
export const DEEP = process.env.TEST_DEPTH === 'deep'

/** Returns the number of repetitions or items for this run. */
export function times({ gate, deep }: { gate: number; deep: number }): number {
  return DEEP ? deep : gate
}

/** Returns all items in the deep suite, and only the first `gate` in the gate: list the most important first. */
export function some<Item>(items: readonly Item[], gate: number): Item[] {
  return DEEP ? [...items] : items.slice(0, gate)
}

/** The seed of all random values, printed at the start of a run. */
export const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31)
