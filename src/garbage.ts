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
