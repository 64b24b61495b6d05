import { readFileSync } from 'node:fs'
import { withClient } from './floor.ts'

/** The length of a clock tick on Linux, which is the unit of processor times. */
const TICK_MS = 10

/** Returns the processor time that processes have used since their start. A process that cannot be read counts as 0. */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ofOne(`/proc/${pid}/stat`), 0)
}

export function mainThreadMs(pid: number): number {
  return ofOne(`/proc/${pid}/task/${pid}/stat`)
}

/** Returns the ids of PostgreSQL's processes for a database's clients. Their usage can only be read on the same machine. */
export function backendsOf(url: string): Promise<number[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    return rows.map(({ pid }) => pid)
  })
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
