import type { Anomaly, Transaction } from './history.ts'

/** An append, with the steps of its transaction to the same key. */
interface Append {
  by: Transaction
  key: string
  /** The last append of its transaction to this key. */
  last: boolean
}

export interface Lists {
  /** The order of the appends to each key: the longest list that was read. */
  orders: Map<string, readonly number[]>
  appends: Map<number, Append>
  anomalies: Anomaly[]
}

/** The order of each key's appends, from what was read, and what is wrong with the lists themselves. */
export function readLists(history: readonly Transaction[]): Lists {
  const appends = appendsOf(history)
  const orders = longestReads(history)
  return { orders, appends, anomalies: [...wrongReads(history, orders), ...wrongOrders(history, orders, appends)] }
}

function appendsOf(history: readonly Transaction[]): Map<number, Append> {
  const appends = new Map<number, Append>()
  for (const by of history) {
    const lasts = new Map<string, Append>()
    for (const step of by.steps) {
      if (!('append' in step)) continue
      const before = lasts.get(step.key)
      if (before) before.last = false
      const append = { by, key: step.key, last: true }
      lasts.set(step.key, append)
      appends.set(step.append, append)
    }
  }
  return appends
}

/** Reads of transactions that were not undone; also an answer of unknown outcome may hold none. */
function longestReads(history: readonly Transaction[]): Map<string, readonly number[]> {
  const longest = new Map<string, readonly number[]>()
  for (const { outcome, steps } of history) {
    if (outcome !== 'committed') continue
    for (const { list, key } of foreignReads(steps))
      if (list.length > (longest.get(key)?.length ?? -1)) longest.set(key, list)
  }
  return longest
}

/** What a transaction read, without what it had appended itself before. */
export function foreignReads(steps: Transaction['steps']): { list: readonly number[]; key: string }[] {
  const own = new Map<string, number>()
  const reads: { list: readonly number[]; key: string }[] = []
  for (const step of steps) {
    const count = own.get(step.key) ?? 0
    if ('append' in step) own.set(step.key, count + 1)
    else if (step.read) reads.push({ list: count === 0 ? step.read : step.read.slice(0, -count), key: step.key })
  }
  return reads
}

function* wrongReads(history: readonly Transaction[], orders: Lists['orders']): Generator<Anomaly> {
  for (const { id, outcome, steps } of history) {
    if (outcome !== 'committed') continue
    if (!agreesWithItself(steps)) yield { kind: 'internal', detail: `${id} does not see what it did or saw before` }
    for (const { list, key } of foreignReads(steps)) {
      const order = orders.get(key) ?? []
      const at = list.findIndex((value, index) => value !== order[index])
      if (at >= 0)
        yield {
          kind: 'incompatible order',
          detail: `${id} read ${key} with ${list[at]} where others read ${order[at]}`,
        }
    }
  }
}

/** A transaction sees a key as it saw it before, with its own appends. */
function agreesWithItself(steps: Transaction['steps']): boolean {
  const expected = new Map<string, number[]>()
  const appended = new Map<string, number[]>()
  for (const step of steps) {
    const known = expected.get(step.key)
    if ('append' in step) {
      known?.push(step.append)
      appended.set(step.key, [...(appended.get(step.key) ?? []), step.append])
    } else if (step.read) {
      const end = appended.get(step.key) ?? []
      if (!isSame(known ?? end, known ? step.read : step.read.slice(step.read.length - end.length))) return false
      expected.set(step.key, [...step.read])
    }
  }
  return true
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index])
}

function* wrongOrders(
  history: readonly Transaction[],
  orders: Lists['orders'],
  appends: Lists['appends'],
): Generator<Anomaly> {
  const seen = new Set<number>()
  for (const [key, order] of orders) {
    for (const value of order) {
      const append = appends.get(value)
      if (seen.has(value)) yield { kind: 'duplicate', detail: `${value} is in ${key} twice` }
      if (!append || append.key !== key) yield { kind: 'garbage', detail: `nobody appended ${value} to ${key}` }
      if (append?.by.outcome === 'undone')
        yield { kind: 'G1a', detail: `${key} holds ${value} of ${append.by.id}, which was undone` }
      seen.add(value)
    }
  }
  for (const [value, { by, key }] of appends)
    if (by.outcome === 'committed' && orders.has(key) && !seen.has(value) && isOver(by, key, orders, history))
      yield { kind: 'lost', detail: `${value} of ${by.id} is not in ${key}` }
  yield* betweenAppends(history, appends)
}

/** The last read of a key began after the append was answered: whoever reads then must see it. */
function isOver(by: Transaction, key: string, orders: Lists['orders'], history: readonly Transaction[]): boolean {
  const order = orders.get(key)!
  return history.some(
    ({ outcome, beganMs, steps }) =>
      outcome === 'committed' &&
      beganMs > by.endedMs &&
      steps.some((step) => 'read' in step && step.key === key && (step.read?.length ?? 0) >= order.length),
  )
}

/** G1b: somebody saw a key between two appends of one transaction. */
function* betweenAppends(history: readonly Transaction[], appends: Lists['appends']): Generator<Anomaly> {
  for (const { id, outcome, steps } of history) {
    if (outcome !== 'committed') continue
    for (const { list, key } of foreignReads(steps)) {
      const append = appends.get(list.at(-1) ?? Number.NaN)
      if (append && !append.last && append.by.id !== id)
        yield { kind: 'G1b', detail: `${id} read ${key} in the middle of ${append.by.id}` }
    }
  }
}
