import { ApiError, methodNotAllowed } from '../contract/declarations/errors.ts'
import type { Operation } from '../contract/declarations/operation.ts'
import { nearestPath } from '../contract/values/nearest.ts'
import type { Context } from '../records/context.ts'

interface Node {
  literals: Map<string, Node>
  parameter: Node | null
  /** The operations of this path by HTTP method; null if only longer paths have operations. */
  operations: Map<string, Operation<Context>> | null
}

export interface Route {
  operation: Operation<Context>
  parameters: Record<string, string>
  /** The id or slug that the path addresses, which is its last parameter. */
  address: string | null
}

/** Finds operations by method and path. A literal segment takes precedence over a parameter, for example `platforms` over an id. */
export class Router {
  readonly #root = node()
  readonly #paths: string[]
  readonly #names: Map<string, string[]>

  constructor(operations: Operation<Context>[]) {
    this.#paths = [...new Set(operations.map((operation) => operation.path))]
    this.#names = new Map(this.#paths.map((path) => [path, namesIn(path)]))
    for (const operation of operations) {
      const end = segmentsOf(operation.path).reduce(descend, this.#root)
      end.operations ??= new Map()
      end.operations.set(operation.method, operation)
    }
  }

  /** Finds the operation; HEAD finds GET. Throws `resource_missing` with the nearest path, or `method_not_allowed` with `Allow`. */
  find(method: string, path: string): Route {
    const segments = segmentsOf(path)
    const found = match(this.#root, segments, 0, [])
    if (!found) throw this.#unknownPath(path, segments)
    const operation = found.operations.get(method === 'HEAD' ? 'GET' : method)
    if (operation)
      return {
        operation,
        parameters: valuesByName(this.#names.get(operation.path)!, found.values),
        address: found.values.at(-1) ?? null,
      }
    throw methodNotAllowed(method, shorten(path), found.operations.keys())
  }

  #unknownPath(path: string, segments: string[]): ApiError {
    const found = nearestPath(segments, this.#candidates(segments))
    const hint = found === null ? '' : ` Did you mean ${found}?`
    return new ApiError('resource_missing', `No such path: ${shorten(path)}.${hint}`)
  }

  /** Returns known paths with the request's ids in place of parameters, so that ids do not count as differences. */
  #candidates(segments: string[]): string[][] {
    return this.#paths.map((path) =>
      segmentsOf(path).map((segment, index) => (segment.startsWith('{') ? (segments[index] ?? segment) : segment)),
    )
  }
}

function node(): Node {
  return { literals: new Map(), parameter: null, operations: null }
}

function descend(from: Node, segment: string): Node {
  if (segment.startsWith('{')) {
    from.parameter ??= node()
    return from.parameter
  }
  const next = from.literals.get(segment) ?? node()
  from.literals.set(segment, next)
  return next
}

function match(
  from: Node,
  segments: string[],
  depth: number,
  values: string[],
): { operations: NonNullable<Node['operations']>; values: string[] } | null {
  const segment = segments[depth]
  if (segment === undefined) return from.operations && { operations: from.operations, values }
  const literal = from.literals.get(segment)
  const found = literal && match(literal, segments, depth + 1, values)
  return found || (from.parameter && match(from.parameter, segments, depth + 1, [...values, decode(segment)]))
}

function valuesByName(names: readonly string[], values: string[]): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const [index, name] of names.entries()) parameters[name] = values[index]!
  return parameters
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function shorten(path: string): string {
  return path.length > 100 ? `${path.slice(0, 99)}…` : path
}
