import type { Random } from './random.ts'

/** The bytes of a file while writes are put onto them, whole or in part. */
export class Bytes {
  #bytes: Buffer
  #size: number

  constructor(first: Buffer) {
    this.#bytes = Buffer.from(first)
    this.#size = first.length
  }

  all(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }

  resize(size: number): void {
    this.#reserve(size)
    if (size < this.#size) this.#bytes.fill(0, size, this.#size)
    this.#size = size
  }

  /** With `how` null the whole write is put on; `nothing` leaves it out; a random one decides sector by sector. */
  write(offset: number, bytes: Buffer, how: Random | 'nothing' | null): void {
    if (how === 'nothing') return
    const end = offset + bytes.length
    if (how === null || how.chance(0.4)) return void this.#put(offset, bytes)
    if (how.chance(0.4)) {
      // The size may be there without the bytes.
      if (how.chance(0.3)) this.#extend(end)
      return
    }
    if (how.chance(0.5)) this.#extend(end)
    const sector = how.pick([512, 4_096])
    for (let from = offset; from < end; ) {
      const to = Math.min(end, (Math.floor(from / sector) + 1) * sector)
      if (how.chance(0.5)) this.#put(from, bytes.subarray(from - offset, this.#torn(from, to, how) - offset))
      from = to
    }
  }

  /** A sector is written as a whole, but the last one of a write may be cut. */
  #torn(from: number, to: number, random: Random): number {
    return to % 512 !== 0 && random.chance(0.3) ? from + random.below(to - from) : to
  }

  #put(offset: number, bytes: Buffer): void {
    this.#extend(offset + bytes.length)
    bytes.copy(this.#bytes, offset)
  }

  #extend(size: number): void {
    this.#reserve(size)
    this.#size = Math.max(this.#size, size)
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return
    const larger = Buffer.alloc(Math.max(size, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#size)
    this.#bytes = larger
  }
}
