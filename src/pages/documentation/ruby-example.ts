import type { ExampleRequest } from './example-request.ts'

/** Calls up to this length are shown on one line. */
const LINE = 76

/** The request as a call in a program. */
export function rubyExample({ method, path, query, body }: ExampleRequest): string {
  const name = method.toLowerCase()
  const given = Object.entries({ ...query, ...body })
  if (given.length === 0) return `${name}(${text(path)})`
  const line = `${name}(${[text(path), ...given.map(([key, value]) => pair(key, value))].join(', ')})`
  if (line.length <= LINE) return line
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
  if (line.length + depth * 2 <= LINE && !line.includes('\n')) return line
  const inset = '  '.repeat(depth + 1)
  return `${open}\n${entries.map((entry) => inset + entry).join(',\n')}\n${'  '.repeat(depth)}${close}`
}

/** A double-quoted text; Ruby reads the escapes of JSON, and would fill in what follows a `#`. */
function text(value: string): string {
  return JSON.stringify(value).replace(/#(?=[{$@])/g, '\\#')
}
