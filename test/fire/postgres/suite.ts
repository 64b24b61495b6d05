import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDirectory } from '../../database/engines.ts'
import { startReceiver } from '../../support/receiver.ts'
import { type Cluster, makeCluster, postgresDirectory } from '../database/cluster.ts'
import { Network } from '../database/network.ts'
import { Replicas } from '../database/replicas.ts'
import { judge, play, type Scene } from '../database/scene.ts'
import { BurningShop } from '../database/shop.ts'
import { Report, suiteOptions } from '../report.ts'

/** A shop with two replicas sells while its PostgreSQL, the network to it and its disk fail; see README.md of the folder. */
const { replicas: COUNT, only } = suiteOptions({ replicas: '2', only: '' })
/** What the disk of the database holds; a ballast takes the rest when it is full. */
const DISK = '1200m'

const report = new Report()
const undo: (() => unknown)[] = []
try {
  await main()
} finally {
  for (const step of undo.reverse()) await step()
}
report.end()

async function main(): Promise<void> {
  const disk = mountedDisk()
  const cluster = await makeCluster(undo, { checkpoint_timeout: '30s', max_wal_size: '256MB' }, disk)
  await cluster.start()
  const network = new Network(cluster.port)
  const url = new URL(cluster.url)
  url.port = String(await network.listen())
  const { directory, remove } = await freshDirectory()
  const receiver = await startReceiver()
  undo.push(
    remove,
    () => network.close(),
    () => receiver.close(),
  )
  const replicas = new Replicas(directory, { DATABASE_URL: url.href })
  await replicas.start(Number(COUNT))
  let printed = ''
  undo.push(async () => {
    printed = await replicas.stop()
  })
  const shop = new BurningShop({ replicas, receiver, url: () => cluster.url })
  await shop.open('fire')
  for (const scene of scenes(cluster, network, disk)) if (scene.name.includes(only)) await play(scene, shop, report)
  await judge(shop, report)
  await report.check('no replica has failed unexpectedly', async () => {
    await undo.pop()?.()
    assert.doesNotMatch(printed, /unhandled|failed unexpectedly/i)
  })
}

function scenes(cluster: Cluster, network: Network, disk: string): Scene[] {
  return [...serverScenes(cluster), ...networkScenes(network), ...commitScenes(network), ...diskScenes(cluster, disk)]
}

function serverScenes(cluster: Cluster): Scene[] {
  const stopped = (name: string, stop: () => Promise<void>): Scene => ({
    name,
    async happen() {
      await stop()
      await delay(4_000)
      await cluster.start()
    },
  })
  return [
    stopped('postmaster killed for 4 s', () => cluster.stop('SIGKILL')),
    stopped('all of PostgreSQL killed for 4 s', () => cluster.killAll()),
    stopped('immediate stop for 4 s', () => cluster.stop('SIGQUIT')),
    stopped('fast stop for 4 s', () => cluster.stop('SIGINT')),
    {
      name: 'connections ended at random for 6 s',
      async happen() {
        for (let times = 0; times < 20; times++) {
          await cluster.terminateSome(0.4)
          await delay(300)
        }
      },
    },
  ]
}

function networkScenes(network: Network): Scene[] {
  const spoilt = (name: string, spoil: () => void, ms: number): Scene => ({
    name,
    async happen() {
      spoil()
      await delay(ms)
      network.clear()
    },
  })
  const weather = (kind: Network['weather']) => () => {
    network.weather = kind
  }
  return [
    spoilt('silent network for 8 s', weather('silent'), 8_000),
    spoilt('silent network for 45 s', weather('silent'), 45_000),
    spoilt('answers lost for 8 s', weather('answers lost'), 8_000),
    {
      name: 'silent network, after which nobody resets what was lost',
      async happen() {
        network.weather = 'silent'
        await delay(3_000)
        network.weather = 'fair'
      },
    },
    {
      name: 'connections reset for 6 s',
      async happen() {
        for (let times = 0; times < 20; times++) {
          network.reset()
          await delay(300)
        }
      },
    },
    spoilt(
      'everything 50 ms slower for 6 s',
      () => {
        network.delayMs = 50
      },
      6_000,
    ),
  ]
}

function commitScenes(network: Network): Scene[] {
  const cut = (at: 'before' | 'after'): Scene => ({
    name: `200 connections cut ${at} their COMMIT arrived`,
    cutCommits: () => network.cutCommits,
    async happen() {
      network.cuts = { at, left: 200 }
      for (let waited = 0; network.cuts.left > 0 && waited < 30_000; waited += 100) await delay(100)
      network.cuts.left = 0
    },
  })
  return [cut('after'), cut('before')]
}

function diskScenes(cluster: Cluster, disk: string): Scene[] {
  const ballast = join(disk, 'ballast')
  return [
    {
      name: 'disk full for 8 s',
      async happen() {
        fill(ballast)
        for (let waited = 0; waited < 8_000; waited += 500) {
          await delay(500)
          // As the supervisor of a service does.
          if (!cluster.isRunning) await cluster.start().catch(() => {})
        }
        rmSync(ballast, { force: true })
        if (!cluster.isRunning) await cluster.start()
      },
    },
  ]
}

/** Takes what is left of the disk, and again what a checkpoint frees meanwhile. */
function fill(path: string): void {
  for (const block of [1_000_000, 4_096])
    for (;;) {
      try {
        writeFileSync(path, Buffer.alloc(block), { flag: 'a' })
      } catch {
        break
      }
    }
}

/** A small disk in memory: sudden deaths of processes lose nothing of it, and it can be filled. */
function mountedDisk(): string {
  const disk = postgresDirectory(undo)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=777`, 'tmpfs', disk])
  undo.push(() => execFileSync('umount', ['-l', disk]))
  return disk
}
