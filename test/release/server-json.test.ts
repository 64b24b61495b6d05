import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { serverJson } from '../../release/server-json.ts'
import { readManifest } from '../../release/stage.ts'

const TEXT = { type: 'string' }
const SHORT_TEXT = { type: 'string', minLength: 1, maxLength: 100 }
const INPUT = {
  description: TEXT,
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' },
  placeholder: TEXT,
  value: TEXT,
}
const VARIABLES = {
  type: 'object',
  additionalProperties: { type: 'object', properties: INPUT, additionalProperties: false },
}

/** The rules of the registry's schema of 2025-12-11 for the fields that are written; other fields fail. */
const RULES = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: SHORT_TEXT,
    description: SHORT_TEXT,
    version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$' },
    remotes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'url'],
        additionalProperties: false,
        properties: {
          type: { enum: ['streamable-http', 'sse'] },
          url: { type: 'string', pattern: '^https?://[^\\s]+$' },
          variables: VARIABLES,
          headers: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              additionalProperties: false,
              properties: { ...INPUT, name: TEXT, variables: VARIABLES },
            },
          },
        },
      },
    },
  },
}

interface Entry {
  name: string
  version: string
  remotes: { url: string; variables: object }[]
}

it('follows the schema of the registry and has the version of the release', () => {
  const { version } = readManifest()
  const entry = serverJson(version, 'com.example') as Entry
  const validate = new Ajv2020({ strict: false }).compile(RULES)
  validate(entry)
  expect(validate.errors).toBe(null)
  expect([entry.name, entry.version]).toEqual(['com.example/shopwright', version])
  expect(validate(serverJson(version, 'not a domain'))).toBe(false)
})

it('declares each variable of an address', () => {
  const { remotes } = serverJson('1.0.0', 'com.example') as Entry
  expect(remotes.map(({ url }) => url)).toEqual(['https://{host}/connect', 'https://{host}/mcp'])
  for (const { url, variables } of remotes)
    expect([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(variables))
})
