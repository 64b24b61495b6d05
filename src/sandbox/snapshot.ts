/** A whole interpreter at rest: its memory, its globals, and where to enter it. */
export interface Snapshot {
  memory: SharedArrayBuffer
  globals: number[]
  /** The runner object and the id of its method, as the interpreter knows them. */
  runner: number
  method: number
}

/** What every worker is given: the module is compiled once, the snapshot exists once. */
export interface Artefact {
  module: WebAssembly.Module
  maximumPages: number
  snapshot: Snapshot
}

/** Regions are compared whole and halved down to this size before they are copied. */
const PAGE_BYTES = 8192
const REGION_BYTES = 1024 * 1024

/**
 * Makes `memory` equal to the snapshot by copying only what differs. Most of both is untouched zero pages, which
 * compare fast and stay unmapped.
 */
export function restoreMemory(memory: Buffer, snapshot: Buffer): void {
  for (let start = 0; start < snapshot.length; start += REGION_BYTES) {
    restoreRegion(memory, snapshot, start, Math.min(start + REGION_BYTES, snapshot.length))
  }
}

function restoreRegion(memory: Buffer, snapshot: Buffer, start: number, end: number): void {
  if (memory.compare(snapshot, start, end, start, end) === 0) return
  if (end - start <= PAGE_BYTES) {
    memory.set(snapshot.subarray(start, end), start)
    return
  }
  const middle = start + (((end - start) / 2) & -PAGE_BYTES)
  restoreRegion(memory, snapshot, start, middle)
  restoreRegion(memory, snapshot, middle, end)
}
