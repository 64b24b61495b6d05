import { httpRequest } from '../load.ts'

/** A kind of request that an account sends as often as its limits allow. */
export interface Attack {
  name: string
  /** Returns requests that prepare the attack before it is measured. */
  prepare?(token: string): string[]
  request(token: string, number: number): string
  /** How many requests of the rate limit one request costs, including the calls of a program; 1 by default. */
  cost?: number
  /** Whether the attack holds the writer lock, so that others have to wait for it. */
  holdsWriter?: boolean
}

const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, at) => make(at))
const keys = (count: number) => Object.fromEntries(many(count, (index) => [`key ${index}`, 'v']))

const post = (path: string, body: unknown) => {
  const text = JSON.stringify(body)
  return (token: string) =>
    httpRequest('POST', path, token).replace(/\r\n\r\n$/, `\r\n${lengthOf(text)}\r\n\r\n${text}`)
}
const lengthOf = (text: string) => `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}`

const program = (code: string) =>
  post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'code_execute', arguments: { code } } })

const product = (fields: object) => post('/v1/products', { name: 'Attack', ...fields })

const forging = (message: string) => `text = ${message}\nJSON.define_singleton_method(:generate) { |*, **| text }\n`
const LONG_METHOD = `'{"method":"' + "x" * 900_000 + '","path":"/tags","params":{},"line":1}'`
const DEEP_RESULT = `'{"ok":true,"value":' + "[" * 200_000 + "]" * 200_000 + '}'`

/** Attacks that once blocked other accounts, and the most expensive attacks that the limits still allow. */
export const ATTACKS: Attack[] = [
  { name: '90,000 keys', request: product({ metadata: keys(90_000) }) },
  { name: '9,000 keys', request: product({ metadata: keys(9_000) }) },
  { name: '66,000 nested tags', request: product({ body_html: '<i>'.repeat(66_000) }) },
  { name: 'as many tags as allowed', request: product({ body_html: `<p>${'x'.repeat(150)}<b>y</b>`.repeat(1_000) }) },
  { name: 'the longest texts', request: product({ body_html: 'x'.repeat(199_000) }) },
  {
    name: 'pages of the longest texts',
    prepare: (token) => many(50, () => product({ body_html: 'x'.repeat(199_000) })(token)),
    request: (token) => httpRequest('GET', '/v1/products?limit=100', token),
  },
  { name: 'programs that loop', request: program('loop {}') },
  {
    name: 'programs that write and loop',
    request: program('post("/tags", name: "t#{rand}")\nloop {}'),
    cost: 2,
    holdsWriter: true,
  },
  {
    name: 'dry runs that write and loop',
    request: program('# dry_run: true\npost("/tags", name: "t#{rand}")\nloop {}'),
    cost: 2,
    holdsWriter: true,
  },
  { name: 'programs that fill the memory', request: program('a = []; loop { a << "x" * 1_000_000 }') },
  { name: 'forged calls', request: program(`${forging(LONG_METHOD)}60.times { get("/tags") rescue nil }`) },
  { name: 'long paths', cost: 11, request: program('10.times { |i| get("/#{i}" + "x" * 900_000) }') },
  { name: 'deep results', cost: 2, request: program(`post("/tags", name: "t#{rand}")\n${forging(DEEP_RESULT)}1`) },
  { name: 'results of 4 MB', request: program('(1..400_000).each_slice(50_000).to_a') },
  {
    name: 'bodies of 80,000 keys',
    cost: 2,
    request: program('post("/tags", (1..80_000).to_h { |i| ["k#{i}", 1] })["error"]'),
  },
  {
    name: 'long parameters',
    cost: 50,
    request: program('250.times { |i| get("/tags", "x#{i}" + "y" * 900_000 => 1) }'),
  },
  {
    name: 'bodies of a megabyte',
    cost: 21,
    request: program('20.times { post("/tags", name: "x" * 900_000)["error"] }'),
  },
]
