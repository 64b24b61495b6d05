import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Answer, RunningApp } from './app.ts'

type Json = Record<string, unknown>
type Template = [path: string, pattern: RegExp]

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>
}

/** Tells what of an answer is not as the served document declares it; nothing when all is. */
export type FindDepartures = (method: string, path: string, answer: Answer) => string[]

/** What finds departures, by the text of the document: the services of a worker serve the same one, each at an address of its own. */
const known = new Map<string, FindDepartures>()

/** Reads the document that the service serves. Objects are closed, so that only declared fields may leave. */
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

/** The path itself wins over one with a parameter, as `/social_accounts/platforms` is no account. */
function templateOf(path: string, templates: Template[]): string | undefined {
  const found = templates.find(([one]) => one === path) ?? templates.find(([, pattern]) => pattern.test(path))
  return found?.[0]
}

/** A literal segment is no parameter's, as `/blog_posts` is no product. */
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
