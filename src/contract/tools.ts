import { describeOperation, expandableNames } from './describe.ts'
import { asJson, type Json, type JsonSchema } from './json.ts'
import { inWords } from './noun.ts'
import type { OperationDeclaration } from './operation.ts'
import { bodySchema, type FindNoun, valueSchema } from './schemas.ts'

/** One row of what `tools` returns in a program (contract 4.3): one per operation. */
export interface Tool {
  method: string
  path: string
  summary: string
  description: string
  tags: string[]
  parameters: Json[]
  request_body: Json
}

/** The operations as programs see them, in their order: complete, and as short as that allows. */
export function toolsOf(operations: readonly OperationDeclaration[], findNoun: FindNoun): Tool[] {
  return operations.map((operation) => {
    const create = operations.find(({ kind, noun }) => kind === 'create' && noun === operation.noun)
    return toolOf(operation, operation.kind === 'update' ? create : undefined, findNoun)
  })
}

/** A change explains only the fields that the create of the same noun does not, and names that create. */
function toolOf(operation: OperationDeclaration, create: OperationDeclaration | undefined, findNoun: FindNoun): Tool {
  const expandable = operation.expandable ? expandableNames(operation.noun, findNoun) : []
  const explained = create ? propertiesOf(bodySchema(create)) : {}
  const description = describeOperation(operation)
  return {
    method: operation.method,
    path: operation.path,
    summary: operation.summary,
    description: create ? `${description} Fields mean what they do in ${create.method} ${create.path}.` : description,
    tags: [operation.group],
    parameters: parametersOf(operation, expandable).map((parameter) => asJson(shortParameter(parameter))),
    request_body: asJson(shortBody(bodySchema(operation), explained)),
  }
}

/** Path and query parameters, in the form of OpenAPI. */
export function parametersOf(operation: OperationDeclaration, expandable: string[]): JsonSchema[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `${name === 'id' ? 'Id' : 'Id or slug'} of the ${inWords(operation.noun.name)}`,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(operation.query).map(([name, field]) => ({
    name,
    in: 'query',
    required: false,
    description: field.spec.description,
    schema: { ...valueSchema(field), ...(field.spec.fallback !== undefined && { default: field.spec.fallback }) },
  }))
  const expand = {
    name: 'expand',
    in: 'query',
    required: false,
    description: `Shown in full, comma-separated: ${expandable.join(', ')}`,
    schema: { type: 'string' },
  }
  return [...inPath, ...inQuery, ...(expandable.length > 0 ? [expand] : [])]
}

/** A query parameter is optional unless it says otherwise. */
function shortParameter({ required, schema, ...parameter }: JsonSchema): JsonSchema {
  return { ...parameter, ...(required === true && { required }), schema: shortSchema(schema as JsonSchema) }
}

function shortBody(body: JsonSchema | null, explained: Record<string, JsonSchema>): JsonSchema | null {
  if (body === null) return null
  const properties = Object.entries(propertiesOf(body)).map(([name, { description, ...schema }]) => [
    name,
    { ...shortSchema(schema), ...(!Object.hasOwn(explained, name) && { description }) },
  ])
  return { ...body, properties: Object.fromEntries(properties) }
}

/** Text of at least one character is what anybody expects. */
function shortSchema({ minLength, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(minLength !== 1 && minLength !== undefined && { minLength }),
    ...(schema.items !== undefined && { items: shortSchema(schema.items as JsonSchema) }),
  }
}

function propertiesOf(body: JsonSchema | null): Record<string, JsonSchema> {
  return (body?.properties ?? {}) as Record<string, JsonSchema>
}
