import { inWords } from '../../format/names.ts'
import { VERSION } from '../../runtime/version.ts'
import type { Noun } from '../declarations/noun.ts'
import type { OperationDeclaration } from '../declarations/operation.ts'
import type { JsonSchema } from '../values/json.ts'
import { describeOperation, expandableNames } from './describe.ts'
import { ERROR_STATUSES, errorResponse, errorStatuses } from './error-responses.ts'
import { FILTER_SCHEMAS, openapiParameters } from './openapi-parameters.ts'
import {
  bodySchema,
  ERROR_SCHEMA,
  exampleAnswer,
  exampleBody,
  type FindNoun,
  nounSchema,
  schemaName,
} from './schemas.ts'

const INFO = {
  title: 'Shopwright API',
  version: VERSION,
  description: [
    'A commerce backend that agents program.',
    'Send `Authorization: Bearer <API token>`; a token gives access to one account.',
    'Bodies are JSON objects with flat fields, sent with `Content-Type: application/json`; unknown and read-only fields are ignored; updates change only the fields sent, and null clears a field that can be null.',
    'Amounts are integers in the minor unit of their currency (whole yen for jpy). Timestamps are ISO 8601; responses use UTC, whole seconds and `Z`.',
    'Ids are opaque. Some resources also have a slug; either works where a path has `{id_or_slug}`.',
    'Lists are pages: `limit` 1 to 100, `starting_after` the last id, `has_more` whether more follow; newest first unless stated otherwise. Filters combine with AND; an enum takes several values (`status[]=a&status[]=b`), most numbers and timestamps take `[gt]`, `[gte]`, `[lt]` and `[lte]`. An unknown query parameter is an error.',
    '`expand` shows references in full: comma-separated names, dots nest three deep, on lists, retrieves and writes.',
    'Errors are `{error: {type, code, message, param, errors, doc_url}}`; a 422 maps each invalid field to its messages, nested fields with dotted names.',
    'An `Idempotency-Key` header makes POST, PATCH and DELETE safe to repeat for 24 hours.',
    '`RateLimit` shows the remaining budget; a 429 gives the seconds to wait in `Retry-After`.',
  ].join(' '),
  contact: { name: 'Shopwright', url: 'https://shopwright.example' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
}

/** Returns the OpenAPI 3.1 document. `serverUrl` includes the version prefix. */
export function openapi(
  operations: OperationDeclaration[],
  nouns: Noun[],
  findNoun: FindNoun,
  serverUrl: string,
): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    paths[operation.path]![operation.method.toLowerCase()] = operationObject(operation, findNoun)
  }
  const schemas = Object.fromEntries(nouns.map((noun) => [schemaName(noun.name), nounSchema(noun, findNoun)]))
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: serverUrl }],
    security: [{ token: [] }],
    tags: [...new Set(operations.map((operation) => operation.group))].map((name) => ({
      name,
      description: groupDescription(name, operations),
    })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token of the account' } },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: HEADERS,
      responses: Object.fromEntries(ERROR_STATUSES.map((status) => [`Error${status}`, errorResponse(status)])),
      schemas: { ...reachable(paths, { ...schemas, ...FILTER_SCHEMAS }), Error: ERROR_SCHEMA },
    },
  }
}

function reachable(paths: JsonSchema, schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const found = new Set<string>()
  const follow = (from: JsonSchema) => {
    for (const [, name] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!) || !schemas[name!]) continue
      found.add(name!)
      follow(schemas[name!]!)
    }
  }
  follow(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)))
}

function operationObject(operation: OperationDeclaration, findNoun: FindNoun): JsonSchema {
  const expandable = operation.expandable ? expandableNames(operation.noun, findNoun) : []
  const body = bodySchema(operation)
  const parameters = [
    ...openapiParameters(operation, expandable),
    ...(operation.writes ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: describeOperation(operation),
    tags: [operation.group],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: 'required' in body,
        content: { 'application/json': { schema: body, example: exampleBody(operation, findNoun) } },
      },
    }),
    responses: {
      ...(operation.findsExisting && { 200: success(operation, findNoun) }),
      [operation.status]: success(operation, findNoun),
      ...Object.fromEntries(
        errorStatuses(operation).map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  }
}

function success(operation: OperationDeclaration, findNoun: FindNoun): JsonSchema {
  const { kind, noun } = operation
  const whole = { $ref: `#/components/schemas/${schemaName(noun.name)}` }
  const words = inWords(noun.name)
  const content = (schema: JsonSchema) => ({
    headers: operation.writes ? { ...ANSWER_HEADERS, ...REPLAY_HEADER } : ANSWER_HEADERS,
    content: { 'application/json': { schema, example: exampleAnswer(operation, findNoun) } },
  })
  if (operation.answersList) return { description: `A page of ${inWords(noun.plural)}`, ...content(listSchema(whole)) }
  if (kind === 'delete') return { description: `The ${words} was deleted`, ...content(deletedSchema(noun)) }
  return { description: `The ${words}`, ...content(whole) }
}

function listSchema(items: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['object', 'data', 'has_more', 'url'],
    properties: {
      object: { type: 'string', const: 'list' },
      data: { type: 'array', items, description: 'The items of the page' },
      has_more: {
        type: 'boolean',
        description: 'Whether more pages follow; if so, send starting_after with the last id',
      },
      url: { type: 'string', description: 'The path of the list' },
    },
  }
}

function deletedSchema(noun: Noun): JsonSchema {
  return {
    type: 'object',
    required: ['id', 'object', 'deleted'],
    properties: {
      id: { type: 'string', description: 'The id it had' },
      object: { type: 'string', const: noun.name },
      deleted: { type: 'boolean', const: true },
    },
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes retries safe: the first response is kept for 24 hours and returned again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'order-42-attempt',
}

const HEADERS = {
  RequestId: { description: 'The id of this request', schema: { type: 'string' } },
  RateLimit: { description: 'The remaining budget, and seconds until it grows', schema: { type: 'string' } },
  RateLimitPolicy: { description: 'The budget: requests in a window of seconds', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: 'Present if this response is repeated from an earlier request with the same Idempotency-Key',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait before retrying', schema: { type: 'string' } },
  WwwAuthenticate: { description: 'How to authenticate', schema: { type: 'string', const: 'Bearer' } },
}

const ANSWER_HEADERS = {
  'Request-Id': { $ref: '#/components/headers/RequestId' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}

const REPLAY_HEADER = { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } }

function groupDescription(group: string, operations: OperationDeclaration[]): string {
  const nouns = new Set(operations.filter((operation) => operation.group === group).map((operation) => operation.noun))
  return [...nouns].map((noun) => noun.description).join(' ')
}
