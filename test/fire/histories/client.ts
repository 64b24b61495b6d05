import { rpc, type Server } from '../../support/server.ts'
import type { Outcome, Step } from './checker/history.ts'
import type { Key, Keys } from './keys.ts'

/** A client gives up; longer than anything may take. */
const PATIENCE_MS = 60_000
/** Of the transactions over REST, those that read a page of rows; the others read one row. */
const PAGES = 0.4
const MOST_STEPS = 3

/** What a client did and heard. */
export interface Done {
  /** `last`: a read when nothing else happens any more. */
  how: 'program' | 'row' | 'page' | 'last'
  steps: Step[]
  outcome: Outcome
  /** The status or the type of error it was refused with; `cut` when there was no answer. */
  said: string
}

export interface Place {
  server: Server
  token: string
  keys: Keys
  nextValue(): number
}

/** One transaction: a program of reads and appends, or, for the share of `requests`, a request that reads. */
export async function act(place: Place, requests: number): Promise<Done> {
  if (Math.random() >= requests) return runProgram(place)
  return Math.random() < PAGES ? readPage(place) : readRow(place, place.keys.pick(), 'row')
}

/** The list of one key over REST. */
export async function readRow(place: Place, key: Key, how: 'row' | 'last'): Promise<Done> {
  return read(place, `/products/${key.id}`, how, (body) => [stepOf(body)])
}

function readPage(place: Place): Promise<Done> {
  return read(place, '/products?limit=5', 'page', ({ data }) => (data as Record<string, unknown>[]).map(stepOf))
}

type Body = Record<string, unknown>

async function read(
  { server, token }: Place,
  path: string,
  how: Done['how'],
  stepsOf: (body: Body) => Step[],
): Promise<Done> {
  try {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(`${server.url}/v1${path}`, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })
    const body = (await response.json()) as Body
    if (response.status === 200) return { how, steps: stepsOf(body), outcome: 'committed', said: 'ok' }
    return { how, steps: [], outcome: 'undone', said: saidBy(response.status, body) }
  } catch {
    return { how, steps: [], outcome: 'undone', said: 'cut' }
  }
}

async function runProgram(place: Place): Promise<Done> {
  const { code, planned } = program(place)
  const headers = { Authorization: `Bearer ${place.token}` }
  const unread = planned.map((step): Step => ('append' in step ? step : { ...step, read: null }))
  const ended = (outcome: Outcome, said: string): Done => ({ how: 'program', steps: unread, outcome, said })
  try {
    const asked = rpc(`${place.server.url}/mcp`, headers, 'tools/call', { name: 'code_execute', arguments: { code } })
    const { status, body } = await asked
    const answer = body.result?.structuredContent
    if (!answer) return ended(isUndone(status, body) ? 'undone' : 'unknown', saidBy(status, body))
    if (answer.error) return ended(answer.committed === 'none' ? 'undone' : 'unknown', answer.error.type)
    return { how: 'program', steps: filled(planned, answer.result), outcome: 'committed', said: 'ok' }
  } catch {
    return ended('unknown', 'cut')
  }
}

function isUndone(status: number, body: { error?: { code?: string } }): boolean {
  return status === 503 && body.error?.code !== 'outcome_unknown'
}

function saidBy(status: number, body: Body): string {
  const { code } = (body.error ?? {}) as { code?: unknown }
  return `${status} ${String(code)}`
}

/** Appends read first: a list is a text that its program writes anew. */
function program({ keys, nextValue }: Place): { code: string; planned: Step[] } {
  const count = 1 + Math.floor(Math.random() * MOST_STEPS)
  const planned: Step[] = []
  const lines = ['seen = []']
  const onlyReads = Math.random() < 0.4
  for (let at = 0; at < count; at++) {
    const key = keys.pick()
    lines.push(`list = get("/products/${key.id}")["description"].to_s`, 'seen << list')
    planned.push({ key: key.id, read: null })
    if (onlyReads || Math.random() < 0.4) continue
    const value = nextValue()
    lines.push(`patch("/products/${key.id}", description: (list + " ${value}").strip)`)
    planned.push({ key: key.id, append: value })
    keys.appended(key)
  }
  return { code: [...lines, 'seen'].join('\n'), planned }
}

function filled(planned: Step[], seen: string[]): Step[] {
  let at = 0
  return planned.map((step) => ('append' in step ? step : { ...step, read: listOf(seen[at++]) }))
}

function stepOf({ id, description }: Body): Step {
  return { key: String(id), read: listOf(description) }
}

function listOf(description: unknown): number[] {
  return typeof description === 'string' && description !== '' ? description.split(' ').map(Number) : []
}
