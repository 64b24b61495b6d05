import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

/** A minimal server as the floor: node:http and node:sqlite alone. The arguments are the database file and the secret key. */
const [file, secret] = process.argv.slice(2) as [string, string]

const database = new DatabaseSync(file)
database.exec('pragma journal_mode = wal; pragma synchronous = full')
const findToken = database.prepare(
  'select t.id, t.account_id, t.user_id, m.role from api_tokens t join memberships m on m.account_id = t.account_id and m.user_id = t.user_id where token_hash = ?',
)
const findProduct = database.prepare('select * from products where account_id = ? and id = ?')
const columns = database
  .prepare('pragma table_info(products)')
  .all()
  .map((column) => column.name as string)
const insertProduct = database.prepare(`insert into products (${columns}) values (${columns.map(() => '?')})`)

const server = createServer((request, response) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const caller = findToken.get(createHmac('sha256', secret).update(token).digest('hex')) as
    | { account_id: string }
    | undefined
  const answer = (status: number, value: unknown) => {
    const body = JSON.stringify(value)
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
      .end(body)
  }
  if (!caller) return answer(401, {})
  if (request.method === 'GET') return answer(200, findProduct.get(caller.account_id, request.url!.split('/').at(-1)!))
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => (text += part))
  request.on('end', () => answer(201, insert(caller.account_id, JSON.parse(text) as { name: string })))
})

const run = process.pid.toString(36)
let made = 0

function insert(account: string, { name }: { name: string }): Record<string, unknown> {
  const id = `prod_bare${run}x${String(made++)}`
  const now = new Date().toISOString()
  const row: Record<string, string | number | null> = Object.fromEntries(columns.map((column) => [column, null]))
  Object.assign(row, {
    account_id: account,
    id,
    name,
    slug: id,
    status: 'draft',
    reviews_count: 0,
    ratings_total: 0,
    media: '[]',
    metadata: '{}',
    search_text: name,
    created_at: now,
    updated_at: now,
  })
  insertProduct.run(...columns.map((column) => row[column]!))
  return row
}

server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as { port: number }).port}`))
