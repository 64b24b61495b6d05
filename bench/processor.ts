import { readFileSync } from 'node:fs'

/** Of Linux, on all machines that this runs on. */
const TICK_MS = 10

/** Milliseconds of processor time that processes have taken since they began; those that cannot be read count nothing. */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ofOne(`/proc/${pid}/stat`), 0)
}

/** As `processorMs`, of the thread that a process began with. */
export function mainThreadMs(pid: number): number {
  return ofOne(`/proc/${pid}/task/${pid}/stat`)
}

function ofOne(path: string): number {
  try {
    const stat = readFileSync(path, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * TICK_MS
  } catch {
    return 0
  }
}
