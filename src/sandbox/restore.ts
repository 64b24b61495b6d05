import { GUEST_PAGE_BYTES, type GuestMemory, STORE_OVERLAP_BYTES } from './guest-memory.ts'

/** Restores a memory to its snapshot: copies the pages that are marked as written, and clears the marks. */
export class Restorer {
  readonly #snapshot: Buffer
  readonly #pages: number

  constructor(snapshot: SharedArrayBuffer) {
    this.#snapshot = Buffer.from(snapshot)
    this.#pages = snapshot.byteLength / GUEST_PAGE_BYTES
  }

  /** The memory must have the snapshot's length. */
  restore({ bytes, marks }: GuestMemory): void {
    let end = 0
    for (;;) {
      const start = nextMarked(marks, end, this.#pages)
      if (start === this.#pages) break
      end = nextUnmarked(marks, start, this.#pages)
      this.#copy(bytes, start * GUEST_PAGE_BYTES, end * GUEST_PAGE_BYTES + STORE_OVERLAP_BYTES)
      marks.fill(0, start, end)
    }
  }

  #copy(bytes: Uint8Array, start: number, end: number): void {
    bytes.set(this.#snapshot.subarray(start, Math.min(end, bytes.length)), start)
  }
}

function nextMarked(marks: Uint8Array, from: number, end: number): number {
  const index = marks.subarray(0, end).indexOf(1, from)
  return index < 0 ? end : index
}

function nextUnmarked(marks: Uint8Array, from: number, end: number): number {
  const index = marks.subarray(0, end).indexOf(0, from)
  return index < 0 ? end : index
}
