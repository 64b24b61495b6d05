import { exampleId } from '../../contract/declarations/noun.ts'
import type { OperationDeclaration } from '../../contract/declarations/operation.ts'
import { exampleBody } from '../../contract/documents/schemas.ts'
import type { Catalogue } from './catalogue.ts'

/** A request that an operation takes, made from what is declared. */
export interface ExampleRequest {
  method: string
  /** Without the version, with ids in place of parameters. */
  path: string
  query: Record<string, string | number | boolean>
  body: Record<string, unknown> | null
}

/** Rows that the examples of lists ask for. */
const LIMIT = 3

export function exampleRequest(operation: OperationDeclaration, catalogue: Catalogue): ExampleRequest {
  const body = exampleBody(operation, catalogue.findNoun)
  return {
    method: operation.method,
    path: examplePath(operation, catalogue),
    query: exampleQuery(operation),
    body: body && Object.keys(body).length > 0 ? body : null,
  }
}

/** The id in a path is of the resource that the word before it names. */
function examplePath({ path, noun }: OperationDeclaration, { nouns }: Catalogue): string {
  return path.replace(/(\w+)\/\{\w+\}/g, (_, plural: string) => {
    const owner = nouns.find((one) => one.plural === plural && one.prefix !== null) ?? noun
    return `${plural}/${exampleId(owner.prefix ?? owner.name)}`
  })
}

function exampleQuery({ query, method }: OperationDeclaration): ExampleRequest['query'] {
  const required = Object.entries(query).filter(([, { spec }]) => spec.required)
  const asked = Object.fromEntries(required.map(([name, { spec }]) => [name, String(spec.example)]))
  return method === 'GET' && 'limit' in query ? { ...asked, limit: LIMIT } : asked
}
