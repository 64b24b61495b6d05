import { exampleId } from '../../contract/declarations/noun.ts'
import type { OperationDeclaration } from '../../contract/declarations/operation.ts'
import { exampleBody } from '../../contract/documents/schemas.ts'
import type { Catalogue } from './catalogue.ts'

const MAX_CALL_LENGTH = 76

const MAX_BODY_LENGTH = 60

export interface ExampleRequest {
  method: string
  /** The path without the API version, with ids in place of parameters. */
  path: string
  query: Record<string, string | number | boolean>
  body: Record<string, unknown> | null
}

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

/** Replaces path parameters with example ids of the resource that the preceding segment names. */
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

/** Returns a command for curl 7.82 or newer, whose option `--json` also sets the content type. */
export function curlExample({ method, path, query, body }: ExampleRequest, publicUrl: string): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const address = `${publicUrl}/v1${path}${search && `?${search}`}`
  const isImplied = method === 'GET' || (method === 'POST' && body !== null)
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}${quoted(address)}`,
    '-H "Authorization: Bearer $SHOPWRIGHT_TOKEN"',
    ...(body ? [`--json '${jsonText(body).replaceAll("'", "'\\''")}'`] : []),
  ]
  return lines.join(' \\\n  ')
}

function quoted(address: string): string {
  return /[?&]/.test(address) ? `"${address}"` : address
}

function jsonText(body: object): string {
  const short = JSON.stringify(body)
  return short.length <= MAX_BODY_LENGTH ? short : JSON.stringify(body, null, 2)
}

export function rubyExample({ method, path, query, body }: ExampleRequest): string {
  const name = method.toLowerCase()
  const given = Object.entries({ ...query, ...body })
  if (given.length === 0) return `${name}(${text(path)})`
  const line = `${name}(${[text(path), ...given.map(([key, value]) => pair(key, value))].join(', ')})`
  if (line.length <= MAX_CALL_LENGTH) return line
  const pairs = given.map(([key, value]) => `  ${pair(key, value, 1)}`)
  return `${name}(${text(path)},\n${pairs.join(',\n')})`
}

function pair(key: string, value: unknown, depth = 0): string {
  return `${/^[a-z_]\w*$/.test(key) ? `${key}:` : `${text(key)} =>`} ${literal(value, depth)}`
}

function literal(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'nil'
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object') return String(value)
  return collection(value, depth)
}

function collection(value: object, depth: number): string {
  const entries = Array.isArray(value)
    ? value.map((entry) => literal(entry, depth + 1))
    : Object.entries(value).map(([key, inner]) => pair(key, inner, depth + 1))
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' ']
  if (entries.length === 0) return `${open}${close}`
  const line = `${open}${space}${entries.join(', ')}${space}${close}`
  if (line.length + depth * 2 <= MAX_CALL_LENGTH && !line.includes('\n')) return line
  const inset = '  '.repeat(depth + 1)
  return `${open}\n${entries.map((entry) => inset + entry).join(',\n')}\n${'  '.repeat(depth)}${close}`
}

/** JSON's escapes work in Ruby strings, but a `#` that could start an interpolation needs its own. */
function text(value: string): string {
  return JSON.stringify(value).replace(/#(?=[{$@])/g, '\\#')
}
