const BLOCK_BYTES = 64 * 1024
const ZEROS = Buffer.alloc(BLOCK_BYTES)

/** Copies what is not zero into a memory that is, so that pages that are zero take up no memory. */
export function copySparsely(source: Buffer, target: Buffer): void {
  for (let start = 0; start < source.length; start += BLOCK_BYTES) {
    const end = Math.min(start + BLOCK_BYTES, source.length)
    if (source.compare(ZEROS, 0, end - start, start, end) !== 0) target.set(source.subarray(start, end), start)
  }
}
