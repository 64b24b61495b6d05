/** Thrown when a pointer or length from the guest is outside of the guest's memory. The interpreter instance is then discarded. */
export class GuestFault extends Error {}

/** The size of a page is 2 to the power of this: 4 KiB. Each page has a byte in `marks` that says whether it was written. */
export const GUEST_PAGE_SHIFT = 12
export const GUEST_PAGE_BYTES = 1 << GUEST_PAGE_SHIFT

/** A store marks only the page of its first byte. The longest store has 8 bytes, so it can write this many bytes on the next page. */
export const STORE_OVERLAP_BYTES = 7

/**
 * The linear memory of an interpreter instance. Pointers come from a program that may be hostile, so every access is checked. Every access
 * creates a new view because growth replaces the buffer.
 */
export class GuestMemory {
  readonly #memory: WebAssembly.Memory
  /** One byte for each page that the memory can have; not 0 if the page was written since the last restore. */
  readonly marks: Uint8Array<ArrayBuffer>

  constructor(memory: WebAssembly.Memory, marks: Uint8Array<ArrayBuffer>) {
    this.#memory = memory
    this.marks = marks
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer as ArrayBuffer)
  }

  /** Returns a read-only view. Copy the bytes before the guest continues. */
  slice(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    const start = pointer >>> 0
    const size = length >>> 0
    if (start + size > this.#memory.buffer.byteLength) throw new GuestFault(`${size} bytes at ${start} are outside`)
    return new Uint8Array(this.#memory.buffer as ArrayBuffer, start, size)
  }

  /** Returns a writable view, and marks its pages as written. */
  writable(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = this.slice(pointer, length)
    const { byteOffset, byteLength } = bytes
    this.marks.fill(1, byteOffset >>> GUEST_PAGE_SHIFT, ((byteOffset + byteLength - 1) >>> GUEST_PAGE_SHIFT) + 1)
    return bytes
  }

  read32(pointer: number): number {
    return view(this.slice(pointer, 4)).getUint32(0, true)
  }

  write32(pointer: number, value: number): void {
    view(this.writable(pointer, 4)).setUint32(0, value, true)
  }

  write64(pointer: number, value: bigint): void {
    view(this.writable(pointer, 8)).setBigUint64(0, value, true)
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.writable(pointer, bytes.length).set(bytes)
  }
}

function view({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}
