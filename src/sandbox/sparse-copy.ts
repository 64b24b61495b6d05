/** Most of the memory is zero and is skipped in blocks of this size. */
const BLOCK_BYTES = 64 * 1024
/** The page size of the operating system: Ruby spreads its objects, so a quarter of the pages in the other blocks are zero. */
const PAGE_BYTES = 4 * 1024
const ZEROS = Buffer.alloc(BLOCK_BYTES)

/** A range of memory from `start` to `end`, exclusive. */
export type MemoryRange = [start: number, end: number]

/** Returns the ranges of a memory that are not zero. It reads all of the memory, so it is done once per snapshot. */
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

/** Copies these ranges into a memory that is zero; its other pages take up no memory. */
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
