/** A pointer or length from the guest that does not lie in its memory. The instance that sent it is thrown away. */
export class GuestFault extends Error {}

/**
 * The linear memory of an instance. Pointers come from a program that may be hostile: they are read as unsigned
 * numbers, and no access leaves the memory. Views are made anew because memory moves when it grows.
 */
export class GuestMemory {
  readonly #memory: WebAssembly.Memory

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer as ArrayBuffer)
  }

  /** A view of `length` bytes at `pointer`; copy it before the guest runs on. */
  slice(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    const start = pointer >>> 0
    const size = length >>> 0
    if (start + size > this.#memory.buffer.byteLength) throw new GuestFault(`${size} bytes at ${start} are outside`)
    return new Uint8Array(this.#memory.buffer as ArrayBuffer, start, size)
  }

  read32(pointer: number): number {
    return this.#view(pointer, 4).getUint32(0, true)
  }

  write32(pointer: number, value: number): void {
    this.#view(pointer, 4).setUint32(0, value, true)
  }

  write64(pointer: number, value: bigint): void {
    this.#view(pointer, 8).setBigUint64(0, value, true)
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.slice(pointer, bytes.length).set(bytes)
  }

  #view(pointer: number, size: number): DataView {
    const { buffer, byteOffset } = this.slice(pointer, size)
    return new DataView(buffer, byteOffset, size)
  }
}
