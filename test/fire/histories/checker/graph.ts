import type { Transaction } from './history.ts'
import { foreignReads, type Lists } from './lists.ts'

/** Why one transaction must come before another: it wrote before, was read, read before it was overwritten, or ended before it began. */
export type EdgeKind = 'ww' | 'wr' | 'rw' | 'time'

export interface Edge {
  to: number
  kind: EdgeKind
}

/** Nodes are transactions, and after them moments at which one ended. */
export interface Graph {
  edges: Edge[][]
  /** The transaction of a node; undefined for a moment. */
  transactions: readonly Transaction[]
}

/** Which of the transactions that took effect must come before which. */
export function dependencies(history: readonly Transaction[], { orders, appends }: Lists): Graph {
  const transactions = history.filter((one) => tookEffect(one, orders))
  const nodeOf = new Map(transactions.map(({ id }, node) => [id, node]))
  const edges: Edge[][] = transactions.map(() => [])
  const writerOf = (value: number | undefined) => {
    const append = value === undefined ? undefined : appends.get(value)
    return append && nodeOf.get(append.by.id)
  }
  const add = (from: number | undefined, to: number | undefined, kind: EdgeKind) => {
    if (from !== undefined && to !== undefined && from !== to) edges[from]!.push({ to, kind })
  }
  for (const order of orders.values())
    for (let at = 1; at < order.length; at++) add(writerOf(order[at - 1]), writerOf(order[at]), 'ww')
  for (const [node, { outcome, steps }] of transactions.entries()) {
    if (outcome !== 'committed') continue
    for (const { list, key } of foreignReads(steps)) {
      add(writerOf(list.at(-1)), node, 'wr')
      add(node, firstForeign(orders.get(key) ?? [], list.length, node, writerOf), 'rw')
    }
  }
  return { edges, transactions }
}

/** The next writer after what was read, who is not the reader: its own appends follow what it read. */
function firstForeign(
  order: readonly number[],
  from: number,
  node: number,
  writerOf: (value: number | undefined) => number | undefined,
): number | undefined {
  for (let at = from; at < order.length; at++) {
    const writer = writerOf(order[at])
    if (writer !== node) return writer
  }
}

/** Of unknown outcome, those take part whose appends somebody has read. */
function tookEffect({ outcome, steps }: Transaction, orders: Lists['orders']): boolean {
  if (outcome === 'committed') return true
  return steps.some((step) => 'append' in step && orders.get(step.key)?.includes(step.append))
}

/**
 * The same graph, with what came before what in time. Instead of an edge for each pair, each end is a moment, moments follow each other,
 * and a transaction follows the last moment before it began.
 */
export function withTime({ edges, transactions }: Graph): Graph {
  const count = transactions.length
  const ends = transactions
    .flatMap(({ outcome, endedMs }, node) => (outcome === 'committed' ? [{ node, endedMs }] : []))
    .sort((one, other) => one.endedMs - other.endedMs)
  const timed: Edge[][] = [...edges.map((of) => [...of]), ...ends.map((_, at) => next(count, at, ends.length))]
  for (const [at, { node }] of ends.entries()) timed[node]!.push({ to: count + at, kind: 'time' })
  const times = ends.map(({ endedMs }) => endedMs)
  for (const [node, { beganMs }] of transactions.entries()) {
    const at = lastBefore(times, beganMs)
    if (at >= 0) timed[count + at]!.push({ to: node, kind: 'time' })
  }
  return { edges: timed, transactions }
}

function next(count: number, at: number, moments: number): Edge[] {
  return at + 1 < moments ? [{ to: count + at + 1, kind: 'time' }] : []
}

/** The index of the last of ascending `times` before `time`; -1 where there is none. */
function lastBefore(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low - 1
}
