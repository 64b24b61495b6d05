import { components, pathBetween } from './components.ts'
import { dependencies, type Edge, type EdgeKind, type Graph, withTime } from './graph.ts'
import type { Anomaly, AnomalyKind, Transaction } from './history.ts'
import { readLists } from './lists.ts'

const kinds = (...names: EdgeKind[]): ReadonlySet<EdgeKind> => new Set(names)

/** Cycles from the worst to the mildest: which edges they may have. */
const LEVELS: { kind: AnomalyKind; edges: ReadonlySet<EdgeKind> }[] = [
  { kind: 'G0', edges: kinds('ww') },
  { kind: 'G1c', edges: kinds('ww', 'wr') },
]
/** Cycles of one kind that are described. */
const DESCRIBED = 20

/**
 * What keeps a history of appends and reads from being serializable, and, with cycles marked `realTime`, from being strictly serializable: equal
 * to the transactions one after the other, each between its request and its answer. Empty: it is both.
 */
export function check(history: readonly Transaction[]): Anomaly[] {
  const lists = readLists(history)
  const graph = dependencies(history, lists)
  const cycles = cyclesOf(graph, kinds())
  const inTime = cycles.length > 0 ? [] : cyclesOf(withTime(graph), kinds('time'))
  return [...lists.anomalies, ...cycles, ...inTime.map((cycle): Anomaly => ({ ...cycle, realTime: true }))]
}

function cyclesOf(graph: Graph, more: ReadonlySet<EdgeKind>): Anomaly[] {
  for (const { kind, edges } of LEVELS) {
    const allowed = edges.union(more)
    const found = components(graph, allowed).slice(0, DESCRIBED)
    if (found.length > 0)
      return found.map((group) => ({ kind, detail: described(graph, cycleIn(graph, group, allowed)) }))
  }
  const all = kinds('ww', 'wr', 'rw').union(more)
  return components(graph, all)
    .slice(0, DESCRIBED)
    .map((group) => withAntiDependencies(graph, group, more))
}

/** G-single: one transaction did not see what another wrote, and comes after it all the same. G2: it takes several of those. */
function withAntiDependencies(graph: Graph, group: number[], more: ReadonlySet<EdgeKind>): Anomaly {
  const within = new Set(group)
  for (const node of group) {
    for (const edge of graph.edges[node]!) {
      if (edge.kind !== 'rw' || !within.has(edge.to)) continue
      const back = pathBetween(graph, [edge.to, node], kinds('ww', 'wr').union(more), within)
      if (back) return { kind: 'G-single', detail: described(graph, [edge, ...back]) }
    }
  }
  return { kind: 'G2', detail: described(graph, cycleIn(graph, group, kinds('ww', 'wr', 'rw').union(more))) }
}

function cycleIn(graph: Graph, group: number[], allowed: ReadonlySet<EdgeKind>): Edge[] {
  const start = group.find((node) => graph.transactions[node]) ?? group[0]!
  return pathBetween(graph, [start, start], allowed, new Set(group)) ?? []
}

/** The transactions of a cycle, without the moments between them. */
function described({ transactions }: Graph, cycle: Edge[]): string {
  const at = cycle.findLastIndex(({ to }) => transactions[to])
  const turned = [...cycle.slice(at + 1), ...cycle.slice(0, at + 1)]
  const words = turned.flatMap(({ to, kind }) => {
    const transaction = transactions[to]
    return transaction ? [`${kind} → ${transaction.id}`] : []
  })
  return `${transactions[turned.at(-1)?.to ?? 0]?.id} ${words.join(' ')}`
}
