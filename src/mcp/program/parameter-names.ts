import { nearest } from '../../contract/nearest.ts'
import type { Json, Tool } from '../../sandbox/door.ts'
import type { ProgramRequest } from './request-path.ts'

/** The parameters of one operation, by name. */
interface OperationNames {
  segments: string[]
  query: string[]
  body: string[]
}

/** Knows the catalogue's parameters, to say of one that was ignored which was probably meant. */
export class ParameterNames {
  readonly #operations = new Map<string, OperationNames[]>()

  constructor(tools: Tool[]) {
    for (const tool of tools) {
      const names = { segments: tool.path.split('/'), query: queryNames(tool), body: bodyNames(tool.request_body) }
      this.#operations.set(tool.method, [...(this.#operations.get(tool.method) ?? []), names])
    }
  }

  /** One sentence about a parameter that was ignored. */
  ignored(request: ProgramRequest, name: string): string {
    const call = `${request.method} ${request.path}`
    const operation = this.#find(request)
    const sentence = `${call} has no parameter \`${name.slice(0, 100)}\`, so it was ignored`
    if (operation === null) return `${sentence}.`
    const inBody = request.body !== undefined
    if (inBody && operation.query.includes(name)) return `${sentence} in the body; it goes into the path: "?${name}=…".`
    const meant = nearest(name.slice(0, 100), inBody ? operation.body : operation.query)
    return meant === null ? `${sentence}.` : `${sentence}; did you mean \`${meant}\`?`
  }

  /** The same of each parameter of a refused call that is near to a declared one: the likely cause. */
  misspelt(request: ProgramRequest): string[] {
    const operation = this.#find(request)
    if (operation === null) return []
    const declared = request.body === undefined ? operation.query : operation.body
    return Object.keys((request.body ?? request.query) as object)
      .filter((name) => !declared.includes(name) && nearest(name.slice(0, 100), declared) !== null)
      .map((name) => this.ignored(request, name))
  }

  #find(request: ProgramRequest): OperationNames | null {
    const segments = request.path.split('/')
    const fits = (operation: OperationNames) =>
      operation.segments.length === segments.length &&
      operation.segments.every((segment, at) => segment.startsWith('{') || segment === segments[at])
    return this.#operations.get(request.method)?.find(fits) ?? null
  }
}

function queryNames(tool: Tool): string[] {
  return tool.parameters.flatMap((parameter) => {
    const { name, in: place } = object(parameter)
    return typeof name === 'string' && place !== 'path' ? [name] : []
  })
}

/** The property names of a request body, wherever its schema stands in it. */
function bodyNames(body: Json): string[] {
  const { properties, ...rest } = object(body)
  if (properties !== undefined) return Object.keys(object(properties))
  return Object.values(rest).flatMap(bodyNames)
}

function object(value: Json | undefined): { [key: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}
