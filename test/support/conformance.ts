import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Answer, RunningApp } from './app.ts'

type Json = Record<string, unknown>
type Template = [path: string, pattern: RegExp]

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>
}

/** Returns the differences between a response and the served OpenAPI document. */
export type FindDepartures = (method: string, path: string, answer: Answer) => string[]

/** Caches the checks by the text of the document without its URL, because all services of a worker serve the same document. */
const known = new Map<string, FindDepartures>()

/** Reads the served document. Objects are closed, so that undeclared fields count as differences. */
export async function readConformance({ url }: Pick<RunningApp, 'url'>): Promise<FindDepartures> {
  const text = (await (await fetch(`${url}/v1/openapi.json`)).text()).replaceAll(url, '')
  const found = known.get(text) ?? departuresFrom(JSON.parse(text))
  known.set(text, found)
  return found
}

function departuresFrom(document: Document): FindDepartures {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/)
  ajv.addSchema(closed(document) as Json, 'api')
  const compiled = new Map<string, ValidateFunction>()
  const templates = Object.keys(document.paths).map((template): Template => [template, pattern(template)])

  return (method, path, answer) => {
    const template = templateOf(path.split('?')[0]!, templates)
    const operation = template === undefined ? undefined : document.paths[template]![method.toLowerCase()]
    const declared = operation?.responses[answer.status]
    if (operation && !declared) return [`${method} ${template} does not declare the status ${answer.status}`]
    const pointer = !declared
      ? '/components/schemas/Error'
      : `${declared.$ref?.slice(1) ?? `/paths/${escaped(template!)}/${method.toLowerCase()}/responses/${answer.status}`}/content/application~1json/schema`
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    compiled.set(pointer, validate)
    if (validate(answer.body)) return []
    return validate.errors!.map(({ instancePath, message, params }) =>
      [method, path, answer.status, instancePath, message, JSON.stringify(params)].join(' '),
    )
  }
}

/** A literal path takes precedence over a parameter: `/social_accounts/platforms` is not an account. */
function templateOf(path: string, templates: Template[]): string | undefined {
  const found = templates.find(([one]) => one === path) ?? templates.find(([, pattern]) => pattern.test(path))
  return found?.[0]
}

/** A parameter never matches a literal segment: `/blog_posts` is not a product. */
function pattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (schema === null || typeof schema !== 'object') return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const open = schema as { type?: unknown; properties?: unknown; additionalProperties?: unknown }
  const isObject = open.type === 'object' && open.properties !== undefined && open.additionalProperties === undefined
  return isObject ? { ...inner, additionalProperties: false } : inner
}
