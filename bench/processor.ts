import { readFileSync } from 'node:fs'
import { withClient } from './floor.ts'

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

/** The processes of PostgreSQL that work for the clients of a database; they can be looked at where both run on one machine. */
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
