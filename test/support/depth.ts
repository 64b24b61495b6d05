/**
 * How thorough this run is. The gate proves in minutes that a change may be taken; the deep suite, `npm run test:deep`, does the
 * same with new seeds, more often, on every engine and in more ways. test/README.md says what is in which.
 */
export const DEEP = process.env.TEST_DEPTH === 'deep'

/** How often, or how much of something, in each of the two. */
export function times({ gate, deep }: { gate: number; deep: number }): number {
  return DEEP ? deep : gate
}

/** All of them in the deep suite, and the first few in the gate: put first what proves most. */
export function some<Item>(items: readonly Item[], gate: number): Item[] {
  return DEEP ? [...items] : items.slice(0, gate)
}

/** What is drawn by chance follows from this number, which is printed at the start of a run. */
export const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31)
