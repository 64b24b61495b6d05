import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Network, Weather } from './network.ts'
import type { Replicas } from './replicas.ts'

/** What there is to be broken. Without a cluster, only the replicas. */
export interface Burning {
  cluster?: Cluster
  network?: Network
  replicas: Replicas
}

interface Fault {
  name: string
  /** Breaks something, and mends it again. */
  happen(): Promise<void>
}

/** Pauses between two faults are from half of this to one and a half times as long. */
const PAUSE_MS = 16_000
/** A process alone that was killed takes a while to start again. */
const PAUSE_ALONE_MS = 30_000

/** Breaks things at random moments, one after the other. */
export class Fire {
  readonly counts = new Map<string, number>()
  readonly #faults: Fault[]
  readonly #burning: Burning
  readonly #stop = new AbortController()
  #going: Promise<void> = Promise.resolve()

  constructor(burning: Burning) {
    this.#burning = burning
    this.#faults = faultsOf(burning)
  }

  light(): void {
    this.#going = this.#burn()
  }

  /** No further fault; resolves when the last one is mended. */
  async putOut(): Promise<void> {
    this.#stop.abort()
    await this.#going
    if (this.#burning.network) this.counts.set('commits cut', this.#burning.network.cutCommits)
  }

  async #burn(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const pauseMs = this.#burning.cluster ? PAUSE_MS : PAUSE_ALONE_MS
      await delay(between(pauseMs / 2, pauseMs * 1.5), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const fault = this.#faults[Math.floor(Math.random() * this.#faults.length)]!
      await fault.happen()
      this.counts.set(fault.name, (this.counts.get(fault.name) ?? 0) + 1)
    }
  }
}

function faultsOf({ cluster, network, replicas }: Burning): Fault[] {
  const crash = {
    name: 'a replica killed',
    happen: () => replicas.crash(Math.floor(Math.random() * replicas.servers.length)),
  }
  return [crash, ...(cluster ? serverFaults(cluster) : []), ...(network ? networkFaults(network) : [])]
}

function serverFaults(cluster: Cluster): Fault[] {
  const restarted = (name: string, stop: () => Promise<void>): Fault => ({
    name,
    async happen() {
      await stop()
      await delay(between(500, 3_000))
      await cluster.start()
    },
  })
  return [
    restarted('postmaster killed', () => cluster.stop('SIGKILL')),
    restarted('all of PostgreSQL killed', () => cluster.killAll()),
    restarted('immediate stop', () => cluster.stop('SIGQUIT')),
    { name: 'connections ended at random', happen: () => cluster.terminateSome(0.5) },
  ]
}

function networkFaults(network: Network): Fault[] {
  const weather = (name: string, kind: Weather): Fault => ({
    name,
    async happen() {
      network.weather = kind
      await delay(between(500, 3_000))
      network.clear()
    },
  })
  const cut = (at: 'before' | 'after'): Fault => ({
    name: `cut ${at} COMMIT`,
    async happen() {
      network.cuts = { at, left: 12 }
      await delay(2_000)
      network.cuts.left = 0
    },
  })
  return [
    weather('silent network', 'silent'),
    weather('answers lost', 'answers lost'),
    { name: 'connections reset', happen: async () => network.reset() },
    {
      name: 'slow network',
      async happen() {
        network.delayMs = 30
        await delay(2_000)
        network.delayMs = 0
      },
    },
    cut('before'),
    cut('after'),
    cut('after'),
  ]
}

function between(least: number, most: number): number {
  return least + Math.random() * (most - least)
}
