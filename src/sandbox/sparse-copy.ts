/** Most of a memory is zero, and is skipped in blocks of this size. */
const BLOCK_BYTES = 64 * 1024
/** What the operating system takes memory in: Ruby spreads its objects, so a quarter of the pages in other blocks is zero. */
const PAGE_BYTES = 4 * 1024
const ZEROS = Buffer.alloc(BLOCK_BYTES)

/** A stretch of a memory, from `start` up to `end`. */
export type Run = [start: number, end: number]

/** The stretches of a memory that are not zero. Looking for them reads all of the memory, so it is done once for a snapshot. */
export function usedRuns(memory: Buffer): Run[] {
  const runs: Run[] = []
  eachUsed(memory, 0, memory.length, BLOCK_BYTES, (start, end) =>
    eachUsed(memory, start, end, PAGE_BYTES, (from, to) => {
      const last = runs.at(-1)
      if (last?.[1] === from) last[1] = to
      else runs.push([from, to])
    }),
  )
  return runs
}

/** Copies these stretches into a memory that is zero, so that its other pages take up no memory. */
export function copyRuns(runs: Run[], source: Uint8Array, target: Uint8Array): void {
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
