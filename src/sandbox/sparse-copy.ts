/** Blocks of this size are skipped if they contain only zeros, as most of the memory does. */
const BLOCK_BYTES = 64 * 1024
/**
 * The page size of the operating system. About a quarter of the pages in the copied blocks contain only zeros, because Ruby
 * spreads its objects over memory.
 */
const PAGE_BYTES = 4 * 1024
const ZEROS = Buffer.alloc(BLOCK_BYTES)

export type MemoryRange = [start: number, end: number]

/** Returns the ranges of a memory that are not zero. This reads all of the memory, so it is done once per snapshot. */
export function usedRuns(memory: Buffer): MemoryRange[] {
  const runs: MemoryRange[] = []
  eachUsed(memory, 0, memory.length, BLOCK_BYTES, (start, end) =>
    eachUsed(memory, start, end, PAGE_BYTES, (from, to) => {
      const last = runs.at(-1)
      if (last?.[1] === from) last[1] = to
      else runs.push([from, to])
    }),
  )
  return runs
}

/** Copies ranges into a memory that contains only zeros. Pages outside of the ranges then take up no memory. */
export function copyRuns(runs: MemoryRange[], source: Uint8Array, target: Uint8Array): void {
  for (const [start, end] of runs) target.set(source.subarray(start, end), start)
}

function eachUsed(
  source: Buffer,
  from: number,
  to: number,
  size: number,
  visit: (start: number, end: number) => void,
): void {
  for (let start = from; start < to; start += size) {
    const end = Math.min(start + size, to)
    if (source.compare(ZEROS, 0, end - start, start, end) !== 0) visit(start, end)
  }
}
