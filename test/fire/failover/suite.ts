import { setTimeout as delay } from 'node:timers/promises'
import { freshDirectory } from '../../database/engines.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { baseBackup, makeCluster } from '../database/cluster.ts'
import { Network } from '../database/network.ts'
import { Replicas } from '../database/replicas.ts'
import { judge, play, type Scene } from '../database/scene.ts'
import { BurningShop } from '../database/shop.ts'
import { Report, suiteOptions } from '../report.ts'
import { Pair, STANDBY } from './pair.ts'

/**
 * A primary with a synchronous standby is killed while a shop sells, and the standby promoted: once behind an address that moves, once
 * with both servers named in DATABASE_URL.
 */
const options = suiteOptions({ failovers: '2', way: 'both' })
const FAILOVERS = Number(options.failovers)
const WAYS = ['address', 'list'] as const

const report = new Report()
const receiver = await startReceiver()
for (const way of WAYS) if (options.way === 'both' || options.way === way) await throughFailovers(way, receiver)
await receiver.close()
report.end()

async function throughFailovers(way: (typeof WAYS)[number], receiver: Receiver): Promise<void> {
  console.log(`  ${way === 'list' ? 'both servers in DATABASE_URL' : 'an address that moves'}`)
  const undo: (() => unknown)[] = []
  try {
    const primary = await makeCluster(undo)
    await primary.start()
    const pair = new Pair(primary, await baseBackup(primary, undo, { standby: STANDBY }), undo)
    await pair.synchronize()
    const network = new Network(primary.port)
    const ports = way === 'list' ? [primary.port, pair.standby.port] : [await network.listen()]
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    const { directory, remove } = await freshDirectory()
    undo.push(remove, () => network.close())
    const replicas = new Replicas(directory, {
      DATABASE_URL: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
    })
    await replicas.start(2)
    undo.push(() => replicas.stop())
    const shop = new BurningShop({ replicas, receiver, url: () => pair.primary.url })
    await shop.open(`failover-${way}`)
    for (const scene of scenes(pair, network)) await play(scene, shop, report)
    await judge(shop, report)
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

function scenes(pair: Pair, network: Network): Scene[] {
  const failovers = Array.from(
    { length: FAILOVERS },
    (_, index): Scene => ({
      name: `failover ${index + 1}`,
      async happen() {
        if (index > 0) await pair.renew()
        await pair.failOver()
        network.moveTo(pair.primary.port)
      },
    }),
  )
  const away: Scene = {
    name: 'the standby is away for 6 s',
    async happen() {
      await pair.standby.stop()
      await delay(6_000)
      await pair.standby.start()
    },
  }
  return [away, ...failovers]
}
