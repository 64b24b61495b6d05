import { describeOperation, expandableNames } from './describe.ts'
import { asJson, type Json, type JsonSchema } from './json.ts'
import type { OperationDeclaration } from './operation.ts'
import { parameterSchema } from './parameter.ts'
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

/** The catalogue as programs see it, in catalogue order. */
export function toolOf(operation: OperationDeclaration, findNoun: FindNoun): Tool {
  const expandable = operation.expandable ? expandableNames(operation.noun, findNoun) : []
  return {
    method: operation.method,
    path: operation.path,
    summary: operation.summary,
    description: describeOperation(operation, expandable),
    tags: [operation.group],
    parameters: parametersOf(operation, expandable).map(asJson),
    request_body: asJson(bodySchema(operation)),
  }
}

/** Path and query parameters, in the form of OpenAPI. */
export function parametersOf(operation: OperationDeclaration, expandable: string[]): JsonSchema[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description:
      name === 'id'
        ? `Id of the ${operation.noun.name.replaceAll('_', ' ')}`
        : `Id or slug of the ${operation.noun.name.replaceAll('_', ' ')}`,
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
    description: `Comma-separated names to show in full: ${expandable.join(', ')}. Dots nest, three deep.`,
    schema: { type: 'string' },
  }
  return [...inPath, ...inQuery, ...(expandable.length > 0 ? [expand] : [])]
}
