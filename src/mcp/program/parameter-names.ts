import { nearest } from '../../contract/values/nearest.ts'
import type { Json, Tool } from '../../sandbox/api.ts'
import type { ProgramRequest } from './request-path.ts'

interface OperationNames {
  segments: string[]
  query: string[]
  body: string[]
  schema: Json
}

/** The maximum number of names in a request body that are compared with the declared names. */
const LOOKED_AT = 50
const SHOWN_FIELDS = 20

/** Suggests which parameter the program probably meant when a field of a body was ignored. */
export class ParameterNames {
  readonly #operations = new Map<string, OperationNames[]>()

  constructor(tools: Tool[]) {
    for (const tool of tools) {
      const names = {
        segments: tool.path.split('/'),
        query: queryNames(tool),
        body: bodyNames(tool.request_body),
        schema: tool.request_body,
      }
      this.#operations.set(tool.method, [...(this.#operations.get(tool.method) ?? []), names])
    }
  }

  /** Returns a warning about an ignored field of the body. `name` can be a path such as `line_items.0.qty`. */
  ignored(request: ProgramRequest, name: string): string {
    const shownName = name.slice(0, 100)
    const sentence = `${request.method} ${request.path.slice(0, 300)} has no parameter \`${shownName}\`, so it was ignored`
    const operation = this.#find(request)
    if (operation === null) return `${sentence}.`
    if (operation.query.includes(name)) return `${sentence} in the body; put it in the path: "?${name}=…".`
    if (name.includes('.')) return `${sentence}. ${takenInside(operation.schema, name)}`.trim()
    const meant = nearest(shownName, operation.body)
    if (meant !== null) return `${sentence}; did you mean \`${meant}\`?`
    return `${sentence}. ${this.#takenBy(operation, name)}`
  }

  /** Names the update operation if it accepts the field; otherwise lists the fields that the called operation accepts. */
  #takenBy({ segments, body }: OperationNames, name: string): string {
    const ofOne = (change: OperationNames) =>
      change.segments.length === segments.length + 1 && change.segments.slice(0, -1).join('/') === segments.join('/')
    const change = this.#operations.get('PATCH')?.find((one) => ofOne(one) && one.body.includes(name))
    if (change) return `PATCH ${change.segments.join('/')} accepts it.`
    const shown = body.slice(0, SHOWN_FIELDS)
    if (shown.length === 0) return 'It takes no body.'
    return `It takes ${shown.join(', ')}${body.length > shown.length ? ', …' : ''}.`
  }

  /** Returns a sentence for each field of a refused body whose name is close to a declared one, because that is the likely mistake. */
  misspelt(request: ProgramRequest): string[] {
    const operation = this.#find(request)
    if (operation === null) return []
    return Object.keys((request.body ?? {}) as object)
      .slice(0, LOOKED_AT)
      .filter((name) => !operation.body.includes(name) && nearest(name.slice(0, 100), operation.body) !== null)
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

/** Returns the property names in the schema of a request body. The properties may be inside `anyOf` or similar. */
function bodyNames(body: Json): string[] {
  const { properties, ...rest } = object(body)
  if (properties !== undefined) return Object.keys(object(properties))
  return Object.values(rest).flatMap(bodyNames)
}

/** Lists the fields of the nested object that has an unknown field; returns an empty text if the schema does not name them. */
function takenInside(body: Json, place: string): string {
  const path = place.split('.').slice(0, -1)
  const taken = bodyNames(path.reduce(schemaInside, withProperties(body)))
  return taken.length === 0 ? '' : `${path.join('.').slice(0, 100)} takes ${taken.slice(0, SHOWN_FIELDS).join(', ')}.`
}

function schemaInside(schema: Json, key: string): Json {
  const { properties, additionalProperties, items } = object(schema)
  return object(properties)[key] ?? items ?? additionalProperties ?? null
}

/** Returns the first part of a schema that has named properties, at any depth. */
function withProperties(body: Json): Json {
  const { properties, ...rest } = object(body)
  if (properties !== undefined) return body
  return (
    Object.values(rest)
      .map(withProperties)
      .find((found) => found !== null) ?? null
  )
}

function object(value: Json | undefined): { [key: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}
