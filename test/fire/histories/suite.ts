import assert from 'node:assert/strict'
import { freshDirectory } from '../../database/engines.ts'
import { type Cluster, makeCluster } from '../database/cluster.ts'
import { Fire } from '../database/fire.ts'
import { Network } from '../database/network.ts'
import { Replicas } from '../database/replicas.ts'
import { Report, suiteOptions } from '../report.ts'
import { check } from './checker/check.ts'
import type { Anomaly, Transaction } from './checker/history.ts'
import { type Recorded, record } from './run.ts'
import { historyAt } from './weaker.ts'

/** Histories of programs and requests under faults, which a checker shows to be serializable, or not. */
const options = suiteOptions({ transactions: '20000', minutes: '60', requests: '60', engine: 'both', faults: 'yes' })
const LIMITS = {
  transactions: Number(options.transactions),
  minutes: Number(options.minutes),
  requests: Number(options.requests) / 100,
}
const DIRECT = 3_000

const report = new Report()
const undo: (() => unknown)[] = []
try {
  if (options.engine !== 'sqlite') await onPostgres(await makeCluster(undo))
  if (options.engine !== 'postgres') await embedded()
} finally {
  for (const step of undo.reverse()) await step()
}
report.end()

async function onPostgres(cluster: Cluster): Promise<void> {
  await cluster.start()
  await levels(cluster)
  const network = new Network(cluster.port)
  const url = new URL(cluster.url)
  url.port = String(await network.listen())
  const { directory, remove } = await freshDirectory()
  undo.push(remove, () => network.close())
  const replicas = new Replicas(directory, { DATABASE_URL: url.href })
  await replicas.start(3)
  undo.push(() => replicas.stop())
  const fire = new Fire({ cluster, network, replicas })
  if (options.faults === 'yes') fire.light()
  const recorded = await record(replicas, { ...LIMITS, url: cluster.url })
  await fire.putOut()
  await judge('three replicas on PostgreSQL', 'postgres', recorded, fire.counts)
}

async function embedded(): Promise<void> {
  const { directory, remove } = await freshDirectory()
  undo.push(remove)
  const replicas = new Replicas(directory)
  await replicas.start(1)
  undo.push(() => replicas.stop())
  const fire = new Fire({ replicas })
  if (options.faults === 'yes') fire.light()
  const recorded = await record(replicas, LIMITS)
  await fire.putOut()
  await judge('one process with the embedded database', 'sqlite', recorded, fire.counts)
}

/** The checker finds what PostgreSQL allows at weaker levels, and nothing at the one that the service uses. */
async function levels(cluster: Cluster): Promise<void> {
  for (const [level, allowed] of [
    ['read committed', true],
    ['repeatable read', true],
    ['serializable', false],
  ] as const) {
    const anomalies = check(await historyAt(cluster.url, level, DIRECT))
    const kinds = summary(anomalies)
    await report.check(`${DIRECT} transactions of PostgreSQL itself at ${level}: ${kinds}`, () =>
      assert.equal(anomalies.length > 0, allowed),
    )
  }
}

/**
 * On PostgreSQL, requests read outside the transactions that are checked for serializability. One for a row has a place in their order, which may be
 * before its time. A page is of one moment, but may show what no order of them allows: the anomaly of a read-only transaction, a G2.
 */
async function judge(
  name: string,
  engine: 'sqlite' | 'postgres',
  recorded: Recorded,
  faults: Map<string, number>,
): Promise<void> {
  const { history, said, longestMs, seconds } = recorded
  const began = performance.now()
  report.figure(`${name}: transactions`, history.length)
  report.figure('a second', Math.round(history.length / seconds))
  report.figure('committed, undone, unknown', outcomes(history))
  report.figure('of these, programs', history.filter(({ how }) => how === 'program').length)
  report.figure('what clients heard', JSON.stringify(Object.fromEntries(said)))
  report.figure('faults', JSON.stringify(Object.fromEntries(faults)))
  report.figure('longest wait for an answer', `${(longestMs / 1000).toFixed(1)} s`)
  const strictly = engine === 'sqlite'
  const programs = check(history.filter(({ how }) => how === 'program' || how === 'last'))
  await report.check(`${name}: programs are strictly serializable`, () => assert.deepEqual(programs, []))
  const rows = check(history.filter(({ how }) => how !== 'page'))
  report.figure('rows over REST that are ordered before their time', rows.filter(({ realTime }) => realTime).length)
  await report.check(`${name}: with requests for a row they are ${strictly ? 'strictly ' : ''}serializable`, () =>
    assert.deepEqual(strictly ? rows : untimed(rows), []),
  )
  const all = untimed(check(history))
  report.figure('pages of lists that agree with no order', all.length)
  await report.check(`${name}: pages of lists are ${strictly ? 'serializable' : 'of one moment'}`, () =>
    assert.deepEqual(strictly ? all : all.filter(({ kind }) => kind !== 'G2'), []),
  )
  report.figure('checked in', `${((performance.now() - began) / 1000).toFixed(1)} s`)
}

/** Cycles of the transactions themselves, whatever their times. */
function untimed(anomalies: Anomaly[]): Anomaly[] {
  return anomalies.filter(({ realTime }) => !realTime)
}

function outcomes(history: Transaction[]): string {
  const count = (outcome: string) => history.filter((one) => one.outcome === outcome).length
  return [count('committed'), count('undone'), count('unknown')].join(', ')
}

function summary(anomalies: Anomaly[]): string {
  const kinds = new Set(anomalies.map(({ kind, realTime }) => (realTime ? `${kind} in time` : kind)))
  return [...kinds].join(', ') || 'nothing'
}
