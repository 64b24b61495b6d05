import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects this thread's garbage and gives the memory back. Starting leaves much of it, and an idle thread, which allocates
 * nothing, would keep it for hours. Takes tens of milliseconds, so it is not for a thread that somebody waits for.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** How often it is looked whether this thread is quiet, and the share of that time for which it may have worked. */
const LOOK_MS = 1_000
const QUIET = 0.05

/** After so many collections without a call, the compiled form of a function is dropped: as usual, and after a start. */
const OLD_AGE = { usual: 6, afterStart: 1 }

/**
 * Collects the garbage of a start, with the compiled form of functions that only a start runs, as soon as nobody waits for this
 * thread: once it has done nearly nothing for a second.
 */
export function collectWhenQuiet(): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > QUIET) return
    clearInterval(timer)
    setFlagsFromString(`--bytecode-old-age=${OLD_AGE.afterStart}`)
    collectGarbage()
    setFlagsFromString(`--bytecode-old-age=${OLD_AGE.usual}`)
  }, LOOK_MS)
  timer.unref()
}
