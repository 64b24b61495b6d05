import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects this thread's garbage and returns the memory to the system: an idle thread would keep the garbage of its start for
 * hours. This takes tens of milliseconds, so do not call it on a thread that serves requests.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** The interval between checks of whether this thread is idle, and the utilization below which it counts as idle. */
const CHECK_MS = 1_000
const IDLE_SHARE = 0.05

/** Waits until the thread has been nearly idle for a second, then collects the garbage of its start. */
export function collectWhenQuiet(): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > IDLE_SHARE) return
    clearInterval(timer)
    collectGarbage()
  }, CHECK_MS)
  timer.unref()
}
