import { getHeapStatistics } from 'node:v8'
import type { Shop } from '../support/shop.ts'

/**
 * What a request may cost the process that others share. The longest text that a body can hold is stored four times: in its row, in
 * the event with what it was before, and in an answer to be repeated.
 */
export const MOST = { allocatedBytes: 64_000_000, answerBytes: 1_000_000, errorBytes: 16_384, storedBytes: 4_000_000 }

/** What one request cost. */
export interface Cost {
  /** CPU milliseconds of the longest stretch in which the event loop served nobody else. */
  heldMs: number
  /** Bytes of JavaScript memory, whether or not they were collected meanwhile. */
  allocatedBytes: number
  /** Bytes by which the database grew. */
  storedBytes: number
}

/** Runs `work` and measures it. CPU time, so that other processes of the machine do not count. */
export async function costOf<Result>(shop: Shop, work: () => Promise<Result>): Promise<Cost & { result: Result }> {
  const before = await databaseBytes(shop)
  const allocated = getHeapStatistics().total_allocated_bytes
  let over = false
  let heldMs = 0
  const watching = (async () => {
    while (!over) {
      const began = cpuMs()
      await new Promise(setImmediate)
      heldMs = Math.max(heldMs, cpuMs() - began)
    }
  })()
  const result = await work()
  over = true
  await watching
  return {
    result,
    heldMs,
    allocatedBytes: getHeapStatistics().total_allocated_bytes - allocated,
    storedBytes: (await databaseBytes(shop)) - before,
  }
}

/**
 * The longest that the event loop may be held: 50 ms on the machines that the limit was set on, where reading a megabyte of
 * JSON with 90,000 keys takes 30 ms; as much longer on a slower one.
 */
export function longestHoldMs(): number {
  const keys = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`key ${index}`, '1']))
  const text = JSON.stringify(keys)
  const times = Array.from({ length: 3 }, () => {
    const began = cpuMs()
    JSON.parse(text)
    return cpuMs() - began
  })
  return Math.max(50, 2 * Math.min(...times))
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Bytes in use of the embedded database, once the runs so far are recorded. */
async function databaseBytes(shop: Shop): Promise<number> {
  await shop.running.app.mcp.close()
  const { rows } = await shop.running.app.database.read.executeQuery<{ bytes: number }>({
    sql: 'select (select page_count from pragma_page_count) * (select page_size from pragma_page_size) - (select freelist_count from pragma_freelist_count) * (select page_size from pragma_page_size) as bytes',
    parameters: [],
    query: { kind: 'RawNode' } as never,
    queryId: { queryId: 'bytes' },
  })
  return Number(rows[0]!.bytes)
}
