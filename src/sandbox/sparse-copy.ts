/** Most of a memory is zero, and is skipped in blocks of this size. */
const BLOCK_BYTES = 64 * 1024
/** What the operating system takes memory in: Ruby spreads its objects, so a quarter of the pages in other blocks is zero. */
const PAGE_BYTES = 4 * 1024
const ZEROS = Buffer.alloc(BLOCK_BYTES)

/** Copies what is not zero into a memory that is, so that pages that are zero take up no memory. */
export function copySparsely(source: Buffer, target: Buffer): void {
  eachUsed(source, 0, source.length, BLOCK_BYTES, (start, end) =>
    eachUsed(source, start, end, PAGE_BYTES, (from, to) => target.set(source.subarray(from, to), from)),
  )
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
