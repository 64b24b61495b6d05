import { ROLES } from '../../contract/declarations/caller.ts'
import { ERRORS } from '../../contract/declarations/errors.ts'
import { exampleId } from '../../contract/declarations/noun.ts'
import type { OperationDeclaration } from '../../contract/declarations/operation.ts'
import { isRange, type Parameter } from '../../contract/declarations/parameter.ts'
import { rolesWith } from '../../contract/declarations/role-rights.ts'
import { deliveredEvents, expandableNames } from '../../contract/documents/describe.ts'
import { errorCodes, STATUSES_OF_ANY_REQUEST } from '../../contract/documents/error-responses.ts'
import { bodySchema, exampleAnswer, exampleBody } from '../../contract/documents/schemas.ts'
import { parametersOf } from '../../contract/documents/tools.ts'
import type { JsonSchema } from '../../contract/values/json.ts'
import { listed } from '../../format/lists.ts'
import { aOrAn, inWords } from '../../format/names.ts'
import { withStop } from '../../format/sentences.ts'
import { type Catalogue, operationPath, resourcePath } from './catalogue.ts'
import { fieldLine, fieldLines, limitsOf, typeWords } from './field-lines.ts'
import { fence, type PageSource } from './page.ts'

export function operationPage(operation: OperationDeclaration, catalogue: Catalogue, publicUrl: string): PageSource {
  const { id, summary, method, path } = operation
  return {
    path: operationPath(id),
    title: summary,
    description: `${method} /v1${path}: ${withStop(operation.description || summary)}`.split(/(?<=\.) /)[0]!,
    section: 'Operations',
    body: () => bodyOf(operation, catalogue),
    examples: () => examplesOf(operation, catalogue, publicUrl),
  }
}

function bodyOf(operation: OperationDeclaration, catalogue: Catalogue): string {
  const expandable = operation.expandable ? expandableNames(operation.noun, catalogue.findNoun) : []
  const parameters = parametersOf(operation, expandable)
  const linesIn = (place: string) =>
    parameterLines(
      operation,
      parameters.filter((one) => one.in === place),
    )
  const body = bodySchema(operation)
  const sections: [title: string, text: string][] = [
    ['Path', linesIn('path')],
    ['Query', linesIn('query')],
    ['Body', body ? fieldLines(body) : ''],
    ['Answer', answerOf(operation)],
    ['Events', eventsOf(operation)],
    ['Access', accessOf(operation)],
    ['Errors', errorsOf(operation)],
  ]
  const shown = sections.filter(([, text]) => text !== '').map(([title, text]) => `## ${title}\n\n${text.trim()}`)
  return [`\`${operation.method} /v1${operation.path}\``, operation.description, ...shown].filter(Boolean).join('\n\n')
}

function parameterLines({ query }: OperationDeclaration, parameters: JsonSchema[]): string {
  return parameters
    .map(({ name, description, required, schema }) => {
      const parameter = Object.hasOwn(query, String(name)) ? query[String(name)] : undefined
      const type = `${parameterType(parameter, schema as JsonSchema)}${required ? ', required' : ''}`
      const meaning = [withStop(String(description)), ...limitsOf(schema as JsonSchema)].join(' ')
      return fieldLine({ name: String(name), type, meaning })
    })
    .join('\n')
}

function parameterType(parameter: Parameter | undefined, schema: JsonSchema): string {
  if (isRange(parameter)) return `${parameter!.spec.type === 'string' ? 'timestamps' : parameter!.spec.type} in a range`
  if (parameter?.form === 'entries') return 'values by key'
  if (parameter?.form === 'several') return `one or several ${typeWords(schema.items as JsonSchema)}s`
  return typeWords(schema)
}

function answerOf({ kind, noun, answersList, status, findsExisting }: OperationDeclaration): string {
  const link = `[${aOrAn(noun.name)}](${resourcePath(noun.name)})`
  if (kind === 'delete') return `Status ${status}: \`{id, object, deleted: true}\`, the confirmation.`
  if (answersList) {
    const order = noun.listOrder && `, ${noun.listOrder}`
    return `Status ${status}: a page of [${inWords(noun.plural)}](${resourcePath(noun.name)})${order}. See [lists](/docs/lists).`
  }
  const found = findsExisting ? `, or 200 if it already existed` : ''
  return `Status ${status}${found}: ${link}.`
}

function eventsOf(operation: OperationDeclaration): string {
  const emits = deliveredEvents(operation)
  return emits.map((type) => `- [\`${type}\`](/docs/events#${type.replace(/[._]/g, '-')})`).join('\n')
}

function accessOf({ needs, writes, rate, outside, callers }: OperationDeclaration): string {
  const roles = rolesWith(needs)
  const who =
    roles.length === ROLES.length
      ? 'Any user of the account'
      : `A user with the [role](/docs/security#roles) ${listed(
          roles.map((role) => `**${role}**`),
          'or',
        )}`
  return [
    callers.includes('token') ? `${who} can call it.` : 'No API token may call it.',
    writes
      ? 'It writes, so read-only tokens are refused and propose tokens create a [plan](/docs/plans). It accepts an [Idempotency-Key](/docs/idempotency).'
      : '',
    rate === 'slow' ? 'It has its own lower [rate limit](/docs/rest#rate-limits).' : '',
    outside ? 'It calls an external service, so in a program it must come before the first write.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}

function errorsOf(operation: OperationDeclaration): string {
  const byStatus = Map.groupBy(errorCodes(operation), (code) => ERRORS[code][0])
  const rows = [...byStatus].map(
    ([status, codes]) => `| ${status} | ${codes.map((code) => `[\`${code}\`](/docs/errors/${code})`).join(', ')} |`,
  )
  const rest = `Any request can also return ${listed(STATUSES_OF_ANY_REQUEST.map(String))}. See [errors](/docs/errors).`
  return ['| Status | Codes |', '|---|---|', ...rows, '', rest].join('\n')
}

function examplesOf(operation: OperationDeclaration, catalogue: Catalogue, publicUrl: string): string {
  const request = exampleRequest(operation, catalogue)
  return [
    '## Example',
    fence('curl', curlExample(request, publicUrl)),
    fence('ruby run', rubyExample(request)),
    'The answer:',
    fence('json', JSON.stringify(exampleAnswer(operation, catalogue.findNoun), null, 2)),
  ].join('\n\n')
}

const MAX_CALL_LENGTH = 76

const MAX_BODY_LENGTH = 60

interface ExampleRequest {
  method: string
  /** The path without the API version, with ids in place of parameters. */
  path: string
  query: Record<string, string | number | boolean>
  body: Record<string, unknown> | null
}

const LIMIT = 3

function exampleRequest(operation: OperationDeclaration, catalogue: Catalogue): ExampleRequest {
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
function curlExample({ method, path, query, body }: ExampleRequest, publicUrl: string): string {
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

function rubyExample({ method, path, query, body }: ExampleRequest): string {
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

/** Returns a Ruby string literal. JSON's escapes work in Ruby, but a `#` that could start an interpolation needs its own. */
function text(value: string): string {
  return JSON.stringify(value).replace(/#(?=[{$@])/g, '\\#')
}
