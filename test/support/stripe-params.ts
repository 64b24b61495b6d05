import { readFileSync } from 'node:fs'
import { StripeRefusal } from './stripe-things.ts'

/** Parameters of a request, by the file and the interface of Stripe's own library that declare them: `Refunds RefundListParams`. */
export type ParamsType = `${string} ${string}`

interface Declared {
  /** Properties of an interface. */
  properties: Map<string, { required: boolean; type: string }>
  /** The type of a type alias; null for an interface. */
  alias: string | null
}

/** The properties of PaginationParams, which `shared.d.ts` declares. */
const PAGINATION = { ending_before: 'string', limit: 'number', starting_after: 'string' }
const METADATA_LIMITS = { keys: 50, keyLength: 40, valueLength: 500 }

const files = new Map<string, Map<string, Declared>>()

/** Throws StripeRefusal, as Stripe words it, for parameters that the library's types do not have. Form values are strings. */
export function requireParams(given: object, type: ParamsType): void {
  const [file, name] = type.split(' ') as [string, string]
  if (!files.has(file)) files.set(file, declarationsOf(file))
  const declared = files.get(file)!
  const [path] = [...declared.keys()].filter((one) => one === name || one.endsWith(`.${name}`))
  if (path === undefined) throw new Error(`The library's ${file}.d.ts has no ${name}.`)
  new Check(declared).value(given, path, [], '')
}

/** The declarations of a file of the library, which is generated and so laid out with a declaration or property on each line. */
function declarationsOf(file: string): Map<string, Declared> {
  const url = new URL(`../../node_modules/stripe/esm/resources/${file}.d.ts`, import.meta.url)
  const lines = readFileSync(url, 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .split('\n')
  const declared = new Map<string, Declared>()
  const open: { name: string; isNamespace: boolean }[] = []
  for (const line of lines) {
    const scope = open.filter(({ isNamespace }) => isNamespace).map(({ name }) => name)
    const [, kind, name = '', rest = ''] =
      /^\s*(?:export )?(?:declare )?(namespace|interface|class) (\w+)(.*)$/.exec(line) ?? []
    const [, alias, value] = /^\s*(?:export )?type (\w+) = (.*);$/.exec(line) ?? []
    const [, property, optional, type] = /^\s*'?(\w+)'?(\??): (.*);$/.exec(line) ?? []
    const pathOf = (last: string) => [...scope, last].join('.')
    if (kind && rest.endsWith('{}')) declared.set(pathOf(name), { properties: new Map(), alias: null })
    else if (kind) {
      open.push({ name, isNamespace: kind === 'namespace' })
      if (kind === 'interface') declared.set(pathOf(name), { properties: paginated(rest), alias: null })
    } else if (alias) declared.set(pathOf(alias), { properties: new Map(), alias: value! })
    else if (property && !open.at(-1)?.isNamespace && open.length > 0)
      declared.get(pathOf(open.at(-1)!.name))?.properties.set(property, { required: !optional, type: type! })
    else if (/\{$/.test(line)) open.push({ name: '', isNamespace: false })
    else if (/^\s*\}/.test(line)) open.pop()
  }
  return declared
}

function paginated(rest: string): Declared['properties'] {
  const inherited = rest.includes('PaginationParams') ? Object.entries(PAGINATION) : []
  return new Map(inherited.map(([name, type]) => [name, { required: false, type }]))
}

class Check {
  readonly #declared: Map<string, Declared>

  constructor(declared: Map<string, Declared>) {
    this.#declared = declared
  }

  /** `scope` is the path of the declaration that names the type. */
  value(value: unknown, type: string, scope: string[], at: string): void {
    const [, emptyable] = /^Emptyable<(.*)>$/.exec(type) ?? []
    const [, item] = /^Array<(.*)>$/.exec(type) ?? []
    // The library allows unknown values for later API versions, but Stripe refuses them.
    const arms = type.split(' | ').filter((arm, _, all) => arm !== 'OtherString' || all.length === 1)
    const named = this.#find(type, scope)
    if (emptyable !== undefined && value === '') return
    if (emptyable !== undefined) this.value(value, emptyable, scope, at)
    else if (item !== undefined) this.#items(value, item, scope, at)
    else if (arms.length > 1) this.#oneOf(value, arms, scope, at)
    else if (type === 'MetadataParam') requireMetadata(value, at)
    else if (named?.declared.alias) this.value(value, named.declared.alias, named.path, at)
    else if (named) this.#object(value, named, at)
    else requirePrimitive(value, type, at)
  }

  #items(value: unknown, item: string, scope: string[], at: string): void {
    if (typeof value !== 'object' || value === null) throw invalid(`Invalid array`, at)
    for (const [index, one] of Object.entries(value)) this.value(one, item, scope, `${at}[${index}]`)
  }

  #oneOf(value: unknown, arms: string[], scope: string[], at: string): void {
    const refusals = arms.map((arm) => refusalOf(() => this.value(value, arm, scope, at)))
    if (refusals.some((one) => one === null)) return
    const choices = arms.filter((arm) => arm.startsWith("'")).map((arm) => arm.slice(1, -1))
    throw choices.length === arms.length
      ? invalid(`Invalid ${at}: must be one of ${choices.slice(0, 9).join(', ')}`, at)
      : refusals[0]
  }

  #object(value: unknown, { declared, path }: { declared: Declared; path: string[] }, at: string): void {
    if (typeof value !== 'object' || value === null) throw invalid('Invalid object', at)
    const nameOf = (name: string) => (at ? `${at}[${name}]` : name)
    for (const [name, one] of Object.entries(value)) {
      const property = declared.properties.get(name)
      if (!property)
        throw new StripeRefusal(400, `Received unknown parameter: ${nameOf(name)}`, {
          ...{ code: 'parameter_unknown', param: nameOf(name) },
          doc_url: 'https://stripe.com/docs/error-codes/parameter-unknown',
        })
      this.value(one, property.type, path, nameOf(name))
    }
    for (const [name, { required }] of declared.properties)
      if (required && !(name in value))
        throw new StripeRefusal(400, `Missing required param: ${nameOf(name)}.`, {
          ...{ code: 'parameter_missing', param: nameOf(name) },
        })
  }

  /** Resolves a name in the enclosing namespaces, from the inside out. */
  #find(name: string, scope: string[]): { declared: Declared; path: string[] } | null {
    for (let depth = scope.length; depth >= 0; depth--) {
      const path = [...scope.slice(0, depth), ...name.split('.')]
      const declared = this.#declared.get(path.join('.'))
      if (declared) return { declared, path }
    }
    return null
  }
}

function requirePrimitive(value: unknown, type: string, at: string): void {
  const text = String(value)
  const isRight =
    type === 'string' || type === 'Decimal' || type === 'OtherString'
      ? typeof value === 'string'
      : type === 'number'
        ? /^-?\d+(\.\d+)?$/.test(text)
        : type === 'boolean'
          ? text === 'true' || text === 'false'
          : text === type.replaceAll("'", '')
  if (isRight) return
  if (type === 'number')
    throw new StripeRefusal(400, `Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: at })
  throw invalid(type === 'boolean' ? `Invalid boolean: ${text}` : `Invalid ${type}: ${text}`, at)
}

function requireMetadata(value: unknown, at: string): void {
  const entries = Object.entries(value as object)
  const { keys, keyLength, valueLength } = METADATA_LIMITS
  if (entries.length > keys) throw invalid(`Metadata can have up to ${keys} keys`, at)
  for (const [key, one] of entries)
    if (typeof one !== 'string' || key.length > keyLength || one.length > valueLength)
      throw invalid(`Metadata keys can be up to ${keyLength} characters long, and values up to ${valueLength}`, at)
}

function invalid(message: string, param: string): StripeRefusal {
  return new StripeRefusal(400, message, { param })
}

function refusalOf(check: () => void): StripeRefusal | null {
  try {
    check()
    return null
  } catch (error) {
    return error as StripeRefusal
  }
}
