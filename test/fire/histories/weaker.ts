import { Client } from 'pg'
import type { Step, Transaction } from './checker/history.ts'

const KEYS = ['a', 'b', 'c']
const CLIENTS = 6

/**
 * A history of transactions that talk to PostgreSQL directly at an isolation level, to see that the check finds what weaker levels allow
 * and nothing at SERIALIZABLE.
 */
export async function historyAt(url: string, level: string, count: number): Promise<Transaction[]> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connected(url)))
  await clients[0]!.query('create table if not exists lists (key text primary key, list text not null)')
  await clients[0]!.query('truncate lists')
  await clients[0]!.query(`insert into lists select key, '' from unnest($1::text[]) as key`, [KEYS])
  const history: Transaction[] = []
  let next = 0
  await Promise.all(
    clients.map(async (client) => {
      while (next < count) history.push(await transaction(client, level, next++))
    }),
  )
  history.push(await lastRead(clients[0]!, next))
  await Promise.all(clients.map((client) => client.end()))
  return history
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

/** Reads one key and appends to another, or reads two. */
async function transaction(client: Client, level: string, id: number): Promise<Transaction> {
  const beganMs = performance.now()
  const steps: Step[] = []
  const [one, other] = KEYS.toSorted(() => Math.random() - 0.5) as [string, string]
  const target = Math.random() < 0.5 ? one : other
  try {
    await client.query(`begin isolation level ${level}`)
    for (const key of [one, other]) steps.push({ key, read: await listIn(client, key) })
    if (Math.random() < 0.7) {
      const seen = steps.find((step) => step.key === target)
      const list = seen && 'read' in seen ? [...(seen.read ?? []), id] : [id]
      await client.query('update lists set list = $2 where key = $1', [target, list.join(' ')])
      steps.push({ key: target, append: id })
    }
    await client.query('commit')
    return { id, outcome: 'committed', steps, beganMs, endedMs: performance.now() }
  } catch {
    await client.query('rollback')
    return { id, outcome: 'undone', steps, beganMs, endedMs: performance.now() }
  }
}

async function lastRead(client: Client, id: number): Promise<Transaction> {
  const beganMs = performance.now()
  const steps: Step[] = []
  for (const key of KEYS) steps.push({ key, read: await listIn(client, key) })
  return { id, outcome: 'committed', steps, beganMs, endedMs: performance.now() }
}

async function listIn(client: Client, key: string): Promise<number[]> {
  const { rows } = await client.query<{ list: string }>('select list from lists where key = $1', [key])
  return rows[0]!.list.split(' ').filter(Boolean).map(Number)
}
