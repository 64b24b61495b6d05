import { readFileSync } from 'node:fs'

/** Of Linux, on all machines that this runs on. */
const TICK_MS = 10

/** Milliseconds of processor time that processes have taken since they began; those that cannot be read count nothing. */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ofOne(pid), 0)
}

function ofOne(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * TICK_MS
  } catch {
    return 0
  }
}
