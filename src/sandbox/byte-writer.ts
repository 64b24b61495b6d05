export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected)
  }

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#makeRoom(1)
    this.#bytes[this.#length++] = value
  }

  bytes(values: Uint8Array | readonly number[]): void {
    if (this.#length + values.length > this.#bytes.length) this.#makeRoom(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
  }

  /** Writes an unsigned LEB128 number. */
  number(value: number): void {
    let rest = value >>> 0
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  /** Returns a view of the written bytes, not a copy. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  #makeRoom(length: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + length))
    larger.set(this.written())
    this.#bytes = larger
  }
}
