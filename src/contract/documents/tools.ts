import { inWords } from '../../format/names.ts'
import type { OperationDeclaration } from '../declarations/operation.ts'
import { isRange, type Parameters, parameterSchema, shortDescription } from '../declarations/parameter.ts'
import type { Tool } from '../values/catalogue-entry.ts'
import { asJson, type JsonSchema } from '../values/json.ts'
import { expandableNames, summarizeOperation } from './describe.ts'
import { bodySchema, type FindNoun, valueSchema } from './schemas.ts'

/** Returns the operations for Ruby programs, completely but as briefly as possible. */
export function toolsOf(operations: readonly OperationDeclaration[], findNoun: FindNoun): Tool[] {
  return operations.map((operation) => {
    const create = operations.find(({ kind, noun }) => kind === 'create' && noun === operation.noun)
    return toolOf(operation, operation.kind === 'update' ? create : undefined, findNoun)
  })
}

/** Describes an operation. For an update, `create` is the create of the same noun; fields that it describes are only named. */
function toolOf(operation: OperationDeclaration, create: OperationDeclaration | undefined, findNoun: FindNoun): Tool {
  const expandable = operation.expandable ? expandableNames(operation.noun, findNoun) : []
  const description = summarizeOperation(operation)
  return {
    method: operation.method,
    path: operation.path,
    summary: operation.summary,
    description: create ? `${description} Fields as in ${create.method} ${create.path}.` : description,
    tags: [operation.group],
    parameters: parametersOf(operation, expandable)
      .filter(({ name }) => !isSaidByCreatedAt(String(name), operation.query))
      .map((parameter) => asJson(shortParameter(parameter, operation.query))),
    request_body: asJson(shortBody(operation, create)),
  }
}

export function parametersOf(operation: OperationDeclaration, expandable: string[]): JsonSchema[] {
  const inPath = [...operation.path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, owners, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `${name === 'id' ? 'Id' : 'Id or slug'} of ${addressed(operation, owners!)}`,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(operation.query).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: parameter.spec.required,
    description: parameter.spec.description,
    schema: parameterSchema(parameter, valueSchema(parameter)),
  }))
  const expand = {
    name: 'expand',
    in: 'query',
    required: false,
    description: `Comma-separated: ${expandable.join(', ')}`,
    schema: { type: 'string' },
  }
  return [...inPath, ...inQuery, ...(expandable.length > 0 ? [expand] : [])]
}

/** Names the row that a path parameter identifies: by the noun of the operation if it is stored, otherwise by the collection. */
function addressed({ noun }: OperationDeclaration, owners: string): string {
  return noun.prefix === null ? `one of the ${inWords(owners)}` : `the ${inWords(noun.name)}`
}

function isSaidByCreatedAt(name: string, query: Parameters): boolean {
  return name !== 'created_at' && 'created_at' in query && isRange(query[name])
}

/** Omits the obvious: query parameters are optional, and the path says which noun its id belongs to. */
function shortParameter({ name, in: place, description, schema }: JsonSchema, query: Parameters): JsonSchema {
  const { maxLength: _, ...short } = shortSchema(schema as JsonSchema)
  const declared = Object.hasOwn(query, String(name)) ? query[String(name)] : undefined
  return place === 'path'
    ? { name, in: place, required: true, schema: short }
    : { name, in: place, description: declared ? shortDescription(String(name), query) : description, schema: short }
}

function shortBody(operation: OperationDeclaration, create: OperationDeclaration | undefined): JsonSchema | null {
  const body = bodySchema(operation)
  if (body === null) return null
  const explained = create ? propertiesOf(bodySchema(create)) : {}
  const properties = Object.entries(propertiesOf(body)).map(([name, schema]) => [
    name,
    Object.hasOwn(explained, name) ? {} : shortSchema(schema),
  ])
  return { ...body, properties: Object.fromEntries(properties) }
}

/** The largest value of an integer column. Schemas do not state it as a maximum, because it is not a rule of the shop. */
const LARGEST_INTEGER = 2_147_483_647

/** Omits the obvious: text is not empty, and the description states the limits of an object's keys. */
function shortSchema({ minLength, additionalProperties, maxProperties, ...schema }: JsonSchema): JsonSchema {
  const short: JsonSchema = minLength === 1 ? schema : { ...schema, minLength }
  if (isEmpty(short.default)) delete short.default
  if (short.maximum === LARGEST_INTEGER) delete short.maximum
  return short.items === undefined ? short : { ...short, items: shortSchema(short.items as JsonSchema) }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function propertiesOf(body: JsonSchema | null): Record<string, JsonSchema> {
  return (body?.properties ?? {}) as Record<string, JsonSchema>
}
