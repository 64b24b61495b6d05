import { setTimeout as delay } from 'node:timers/promises'
import { baseBackup, type Cluster } from '../database/cluster.ts'

/** Until somebody has noticed that the primary is gone. */
const NOTICED_MS = 3_000
/** The name that a standby gives the primary. */
export const STANDBY = 'standby'

/** A primary and its standby, whose roles change. */
export class Pair {
  primary: Cluster
  standby: Cluster
  readonly #undo: (() => unknown)[]
  #dead: Cluster | undefined

  constructor(primary: Cluster, standby: Cluster, undo: (() => unknown)[]) {
    this.primary = primary
    this.standby = standby
    this.#undo = undo
  }

  /** From now on a commit is answered only once the standby has it on its disk. */
  async synchronize(): Promise<void> {
    await this.standby.start()
    await this.primary.query(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await this.primary.query('select pg_reload_conf()')
    const text = 'select sync_state from pg_stat_replication'
    for (;;) {
      const [row] = await this.primary.query<{ sync_state: string }>(text)
      if (row?.sync_state === 'sync') return
      await delay(100)
    }
  }

  /** The primary dies, and after a while the standby takes over. */
  async failOver(): Promise<void> {
    await this.primary.killAll()
    await delay(NOTICED_MS)
    await this.standby.query('select pg_promote()')
    this.#dead = this.primary
    this.primary = this.standby
  }

  /** Where the dead one was, a new standby is made. */
  async renew(): Promise<void> {
    const port = this.#dead?.port
    this.standby = await baseBackup(this.primary, this.#undo, { standby: STANDBY, ...(port !== undefined && { port }) })
    await this.synchronize()
  }
}
