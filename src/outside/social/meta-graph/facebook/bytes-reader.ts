/** Takes bytes from a stream, as many as are wanted. */
export class BytesReader {
  /** Bytes that were taken so far. */
  taken = 0
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** The next bytes; fewer than are wanted only at the end. */
  async take(wanted: number): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = []
    let length = 0
    while (length < wanted) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next()
        if (next.done) break
        this.#rest = next.value
      }
      const piece = this.#rest.subarray(0, wanted - length)
      this.#rest = this.#rest.subarray(piece.length)
      parts.push(piece)
      length += piece.length
    }
    this.taken += length
    return new Uint8Array(Buffer.concat(parts))
  }
}
