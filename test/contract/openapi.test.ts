import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { catalogFiles } from '../../src/cli/catalog.ts'
import { ERRORS } from '../../src/contract/declarations/errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at freely
type Any = any

const run = promisify(execFile)
const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url))
const OFFLINE = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }

const document: Any = JSON.parse(catalogFiles().get('openapi.json')!)
const operations: [name: string, operation: Any][] = Object.values<Any>(document.paths).flatMap((item) =>
  Object.entries<Any>(item).map(([method, operation]): [string, Any] => [
    operation.operationId,
    { ...operation, method },
  ]),
)
const resolve = (given: Any): Any =>
  given.$ref
    ? given.$ref
        .slice(2)
        .split('/')
        .reduce((inner: Any, key: string) => inner[key], document)
    : given

/** Fails with what the program printed. */
const lint = (program: string, ...args: string[]) =>
  run(process.execPath, [path(`node_modules/${program}`), ...args], { env: OFFLINE, cwd: path('.') }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })

describe('The catalogue', () => {
  it('is in the repository as the declarations say', async () => {
    for (const [name, text] of catalogFiles()) {
      expect(await readFile(path(`catalog/${name}`), 'utf8'), `catalog/${name} is stale: run npm run catalog`).toBe(
        text,
      )
    }
  })

  it('passes the linters without a warning', async () => {
    await lint('@redocly/cli/bin/cli.js', 'lint', '--config', 'test/contract/.redocly.yaml', 'catalog/openapi.json')
    const ruleset = ['--ruleset', 'test/contract/.spectral.yaml', '--fail-severity', 'hint']
    await lint('@stoplight/spectral-cli/dist/index.js', 'lint', 'catalog/openapi.json', ...ruleset)
  })

  it('bounds every list and every object of open keys that a body may hold', () => {
    const bodies = operations.flatMap(([name, { requestBody }]) =>
      Object.entries<Any>(requestBody?.content['application/json'].schema.properties ?? {}).map(
        ([field, schema]) => [`${name}: ${field}`, resolve(schema)] as const,
      ),
    )
    expect(bodies.length).toBeGreaterThan(200)
    const unbounded = bodies.filter(([, { type, maxItems, maxProperties, properties }]) => {
      const types = [type].flat()
      return (types.includes('array') && !maxItems) || (types.includes('object') && !maxProperties && !properties)
    })
    expect(unbounded.map(([place]) => place)).toEqual([])
  })

  it('says of every operation what it does, with an example of every answer', () => {
    expect(operations.length).toBeGreaterThan(30)
    for (const [name, operation] of operations) {
      expect([name, operation.summary.length > 5, operation.summary.endsWith('.')]).toEqual([name, true, false])
      expect(operation.description).toContain('Returns ')
      for (const parameter of (operation.parameters ?? []).map(resolve))
        expect([name, parameter.name, (parameter.description ?? '').length > 3]).toEqual([name, parameter.name, true])
      if (operation.requestBody) {
        const { schema, example } = operation.requestBody.content['application/json']
        expect([name, Object.keys(example).length > 0]).toEqual([name, true])
        for (const required of schema.required ?? []) expect(example).toHaveProperty(required)
      }
      for (const [status, response] of Object.entries<Any>(operation.responses)) {
        const { description, content, headers } = resolve(response)
        expect([name, status, description.length > 5]).toEqual([name, status, true])
        expect(headers).toHaveProperty('Request-Id')
        const { example, examples } = content['application/json']
        expect([name, status, (example ?? examples) !== undefined]).toEqual([name, status, true])
      }
    }
  })

  it('says of every operation how it can fail', () => {
    for (const [name, { method, responses, requestBody, parameters = [] }] of operations) {
      const statuses = Object.keys(responses)
      for (const always of ['400', '401', '429', '500'])
        expect([name, statuses]).toEqual([name, expect.arrayContaining([always])])
      const writes = parameters.some((parameter: Any) => parameter.$ref?.endsWith('IdempotencyKey'))
      const refusesValues = writes || requestBody !== undefined
      expect([name, statuses.includes('409'), statuses.includes('422')]).toEqual([name, writes, refusesValues])
      for (const ofBodies of ['413', '415'])
        expect([name, statuses.includes(ofBodies)]).toEqual([name, method === 'post' || method === 'patch'])
      if (parameters.some((parameter: Any) => parameter.in === 'path')) expect(statuses).toContain('404')
    }
  })

  it('explains every error code that an answer may have', () => {
    const explained = Object.values<Any>(document.components.responses).flatMap((response) =>
      Object.keys(response.content['application/json'].examples),
    )
    const beforeOperations = ['headers_too_large', 'method_not_allowed', 'request_timeout']
    expect(explained.sort()).toEqual(
      Object.keys(ERRORS)
        .filter((code) => !beforeOperations.includes(code))
        .sort(),
    )
  })

  it('describes every field that is shown or written', () => {
    const described = (schema: Any, where: string) => {
      for (const [name, field] of Object.entries<Any>(schema.properties ?? {})) {
        const fixed = field.const !== undefined
        expect([where, name, fixed || (field.description ?? '').length > 3]).toEqual([where, name, true])
      }
    }
    for (const [name, schema] of Object.entries<Any>(document.components.schemas)) described(schema, name)
    for (const [name, { requestBody }] of operations) {
      if (requestBody) described(requestBody.content['application/json'].schema, name)
    }
  })

  it('has examples that its own schemas accept', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    formats.default(ajv)
    ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/)
    ajv.addSchema(document, 'api')
    const accepts = (pointer: string, example: Any) => {
      const validate = ajv.compile({ $ref: `api#${pointer}` })
      expect([pointer, validate(example), validate.errors]).toEqual([pointer, true, null])
    }
    for (const [template, item] of Object.entries<Any>(document.paths)) {
      for (const [method, operation] of Object.entries<Any>(item)) {
        const base = `/paths/${encodeURIComponent(template.replaceAll('/', '~1'))}/${method}`
        const media = 'content/application~1json/schema'
        const body = operation.requestBody?.content['application/json']
        if (body) accepts(`${base}/requestBody/${media}`, body.example)
        for (const [status, { content }] of Object.entries<Any>(operation.responses)) {
          if (content) accepts(`${base}/responses/${status}/${media}`, content['application/json'].example)
        }
      }
    }
    for (const [name, response] of Object.entries<Any>(document.components.responses)) {
      for (const { value } of Object.values<Any>(response.content['application/json'].examples)) {
        accepts('/components/schemas/Error', value)
        expect(name).toBe(`Error${ERRORS[value.error.code as keyof typeof ERRORS][0]}`)
      }
    }
  })

  it('names each operation and each schema once', () => {
    const names = operations.map(([name]) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
  })
})
