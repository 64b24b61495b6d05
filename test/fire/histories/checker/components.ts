import type { Edge, EdgeKind, Graph } from './graph.ts'

/** The nodes that can reach each other over edges of some kinds (Tarjan's algorithm, without recursion); only groups of several. */
export function components({ edges }: Pick<Graph, 'edges'>, kinds: ReadonlySet<EdgeKind>): number[][] {
  const count = edges.length
  const index = new Int32Array(count).fill(-1)
  const low = new Int32Array(count)
  const onStack = new Uint8Array(count)
  const position = new Int32Array(count)
  const stack: number[] = []
  const path: number[] = []
  const found: number[][] = []
  let order = 0
  const enter = (node: number) => {
    index[node] = low[node] = order++
    onStack[node] = 1
    stack.push(node)
    path.push(node)
  }
  const leave = (node: number) => {
    path.pop()
    const parent = path.at(-1)
    if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!)
    if (low[node] !== index[node]) return
    const group = stack.splice(stack.lastIndexOf(node))
    for (const one of group) onStack[one] = 0
    if (group.length > 1) found.push(group)
  }
  for (let root = 0; root < count; root++) {
    if (index[root] !== -1) continue
    enter(root)
    while (path.length > 0) {
      const node = path.at(-1)!
      const edge = edges[node]![position[node]!++]
      if (!edge) leave(node)
      else if (!kinds.has(edge.kind)) continue
      else if (index[edge.to] === -1) enter(edge.to)
      else if (onStack[edge.to]) low[node] = Math.min(low[node]!, index[edge.to]!)
    }
  }
  return found
}

/** The shortest way from one node to another over edges of some kinds, inside a group; null where there is none. */
export function pathBetween(
  { edges }: Pick<Graph, 'edges'>,
  [from, to]: [from: number, to: number],
  kinds: ReadonlySet<EdgeKind>,
  group: ReadonlySet<number>,
): Edge[] | null {
  const before = new Map<number, { node: number; edge: Edge }>()
  let reached = [from]
  while (reached.length > 0 && !before.has(to)) {
    const following: number[] = []
    for (const node of reached) {
      for (const edge of edges[node]!) {
        if (!kinds.has(edge.kind) || !group.has(edge.to) || before.has(edge.to)) continue
        before.set(edge.to, { node, edge })
        following.push(edge.to)
      }
    }
    reached = following
  }
  if (!before.has(to)) return null
  const path: Edge[] = []
  let at = to
  do {
    const { node, edge } = before.get(at)!
    path.unshift(edge)
    at = node
  } while (at !== from)
  return path
}
