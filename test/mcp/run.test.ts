import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import type { Database } from '../../src/database/database.ts'
import { knownAddresses } from '../../src/mcp/endpoint/addresses.ts'
import { ParameterNames } from '../../src/mcp/program/parameter-names.ts'
import { type RunParts, runProgram } from '../../src/mcp/program/run.ts'
import type { OperationAnswer, OperationRequest } from '../../src/pipeline/request.ts'
import type { Json, Outcome, Program, ProgramErrorType, Sandbox } from '../../src/sandbox/api.ts'
import { times } from '../support/depth.ts'
import { conflicting, type Notes, openNotes, otherHolder, textsOf, write } from './notes.ts'

let database: Database<Notes>
let close: () => Promise<void>

beforeEach(async () => {
  ;({ database, close } = await openNotes())
})
afterEach(() => close())

const caller: Caller = {
  accountId: 'acct_1',
  userId: 'user_1',
  sessionId: 'session_1',
  role: 'owner',
  kind: 'session',
}
const addresses = knownAddresses('http://shop.example', [], [])
const base = { output: '', warnings: [], durationMs: 1, overlooked: [], returned: [] }

/** When a program is killed: at the n-th call, before it reaches the host or some milliseconds into it. */
interface Kill {
  as: ProgramErrorType
  atCall: number
  afterMs: number | null
}

/** A fake sandbox whose program makes `count` writes and can be killed at any time, like the real one. */
function writing(count: number, kill?: Kill): Sandbox {
  const killed = (as: ProgramErrorType): Outcome => ({
    ...base,
    ok: false,
    error: { type: as, message: 'Killed.', line: null, source: null, hint: null },
  })
  const run = async ({ call }: Program): Promise<Outcome> => {
    for (let index = 0; index < count; index++) {
      const dies = kill?.atCall === index
      if (dies && kill.afterMs === null) return killed(kill.as)
      const answer = call!({
        method: 'POST',
        path: '/notes',
        params: { text: `note ${index}` },
        line: index + 1,
        listing: false,
        over: null,
      })
      const rejected = answer.then(() => null).catch(() => killed('host_error'))
      if (dies) {
        await delay(kill.afterMs!)
        return killed(kill.as)
      }
      const failure = await rejected
      if (failure !== null) return failure
    }
    return { ...base, ok: true, value: count, shortened: false }
  }
  return { run, close: async () => {} }
}

/** A sandbox whose program posts these texts, one after the other. */
function calling(texts: string[]): Sandbox {
  const run = async ({ call }: Program): Promise<Outcome> => {
    for (const text of texts) {
      const posted = call!({
        method: 'POST',
        path: '/notes',
        params: { text },
        line: 1,
        listing: false,
        over: null,
      })
      const failure = await posted.then(() => null).catch((): Outcome => LOST)
      if (failure) return failure
    }
    return { ...base, ok: true, value: null, shortened: false }
  }
  return { run, close: async () => {} }
}

const LOST: Outcome = {
  ...base,
  ok: false,
  error: { type: 'host_error', message: 'Lost.', line: null, source: null, hint: null },
}
const BLANK: OperationAnswer = {
  status: 201,
  headers: {},
  body: {},
  operationId: 'create_note',
  operation: 'POST /notes',
  needs: null,
  outside: false,
  ignored: [],
  changes: [],
  left: { jobs: [], deliveries: 0 },
}

function parts(sandbox: Sandbox, writeMs?: number): RunParts {
  const runOperation = async ({ body, scope }: OperationRequest): Promise<OperationAnswer> => {
    const { text } = body as { text: string }
    await (scope as unknown as Database<Notes>).transaction(write(text, writeMs))
    return { ...BLANK, body: { id: text } }
  }
  const asParts = { sandbox, database: database as unknown as RunParts['database'], runOperation }
  const log = { error: () => {} }
  const time = { clockAheadMs: async () => 0, zone: async () => 'UTC' }
  return {
    ...asParts,
    time,
    foresee: async () => [],
    rightsOf: async () => [],
    names: new ParameterNames([]),
    findNoun: () => undefined,
    addresses,
    docsUrl: '',
    log,
  }
}

const run = (given: RunParts, options: { dryRun?: boolean; atomic?: boolean; signal?: AbortSignal } = {}) => {
  const { dryRun = false, atomic = true, signal } = options
  return runProgram(given, {
    caller,
    program: { code: '', dryRun, atomic, background: false, once: null, warnings: [] },
    signal,
    answer: () => ({}),
  })
}
const listed = (ended: Awaited<ReturnType<typeof run>>) =>
  ended.calls.journal.calls.filter((call) => call.status === 201).map((call) => call.id as Json)

describe('a program that ends well', () => {
  test('leaves all its writes', async () => {
    const ended = await run(parts(writing(3)))
    expect(ended).toMatchObject({ error: null, committed: 'all', runs: 1 })
    expect(await textsOf(database)).toEqual(['note 0', 'note 1', 'note 2'])
  })

  test('leaves nothing on a dry run', async () => {
    const ended = await run(parts(writing(3)), { dryRun: true, atomic: false })
    expect(ended).toMatchObject({ error: null, committed: 'none' })
    expect(listed(ended)).toEqual(['note 0', 'note 1', 'note 2'])
    expect(await textsOf(database)).toEqual([])
  })

  test('is undone when its caller went away before the commit', async () => {
    const ended = await run(parts(writing(3)), { signal: AbortSignal.abort() })
    expect(ended).toMatchObject({ error: { type: 'canceled' }, committed: 'none' })
    expect(await textsOf(database)).toEqual([])
  })
})

const deaths = fc.record({
  writes: fc.integer({ min: 1, max: 5 }),
  at: fc.nat({ max: 4 }),
  as: fc.constantFrom<ProgramErrorType>('ruby_error', 'deadline_exceeded', 'canceled', 'memory_limit', 'host_error'),
  afterMs: fc.option(fc.integer({ min: 0, max: 4 })),
  writeMs: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
})

test('a commit that is not confirmed is said to be unknown, and is not run again', async () => {
  const given = parts(writing(2))
  const program: RunParts['database']['program'] = (options) => {
    const open = given.database.program(options)
    const commit = async () => {
      await open.commit()
      throw new Error('The connection was lost.')
    }
    const { read } = open
    const [settled, rollback] = [() => open.settled(), () => open.rollback()]
    return { read, transaction: (work) => open.transaction(work), settled, commit, rollback }
  }
  const { engine, read } = given.database
  const ended = await run({ ...given, database: { ...given.database, engine, read, program } })
  expect(ended).toMatchObject({ error: { type: 'commit_failed' }, committed: 'unknown', runs: 1 })
  expect(await textsOf(database)).toEqual(['note 0', 'note 1'])
})

describe('a program that is killed', () => {
  test('at any call and any moment leaves the database as it was', async () => {
    const property = fc.asyncProperty(deaths, async ({ writes, at, as, afterMs, writeMs }) => {
      const ended = await run(parts(writing(writes, { as, atCall: at % writes, afterMs }), writeMs))
      await database.transaction(async () => {})
      await delay(6)
      expect(ended).toMatchObject({ error: { type: as }, committed: 'none' })
      expect(await textsOf(database)).toEqual([])
    })
    await fc.assert(property, { numRuns: times({ gate: 20, deep: 60 }) })
  })

  test('leaves exactly the listed calls when each commits by itself', async () => {
    const property = fc.asyncProperty(deaths, async ({ writes, at, as, afterMs, writeMs }) => {
      const ended = await run(parts(writing(writes, { as, atCall: at % writes, afterMs }), writeMs), { atomic: false })
      await delay(6)
      const kept = await textsOf(database)
      expect(listed(ended)).toEqual(kept)
      expect(ended.committed).toBe(kept.length === 0 ? 'none' : 'partial')
      await database.transaction((unit) => unit.db.deleteFrom('notes').execute())
    })
    await fc.assert(property, { numRuns: times({ gate: 20, deep: 60 }) })
  })

  test('while another program has the writer takes nothing of it later', async () => {
    const other = await otherHolder(database)
    const ended = await run(parts(writing(1, { as: 'deadline_exceeded', atCall: 0, afterMs: 5 })))
    await other.rollback()
    await database.transaction(async () => {})
    expect(ended.committed).toBe('none')
    expect(await textsOf(database)).toEqual([])
  })
})

describe('when another transaction got there first', () => {
  test('the program is undone and run again', async () => {
    const once = conflicting(database, (count) => count === 2)
    const ended = await run({ ...parts(writing(3)), database: once as unknown as RunParts['database'] })
    expect(ended).toMatchObject({ error: null, committed: 'all', runs: 2 })
    expect(await textsOf(database)).toEqual(['note 0', 'note 1', 'note 2'])
  })

  test('what it did outside is not repeated, and answers as it did the first time', async () => {
    const conflicts = conflicting(database, (count) => count === 1)
    const given = {
      ...parts(calling(['outside', 'outside', 'written'])),
      database: conflicts as unknown as RunParts['database'],
    }
    const { runOperation } = given
    const reached: string[] = []
    const ended = await run({
      ...given,
      async runOperation(request) {
        const { text } = request.body as { text: string }
        if (text !== 'outside') return runOperation(request)
        reached.push(text)
        return { ...BLANK, outside: true, body: { id: `${text} ${reached.length}` } }
      },
    })
    expect(ended).toMatchObject({ error: null, committed: 'all', runs: 2 })
    expect(reached).toHaveLength(2)
    expect(listed(ended)).toEqual(['outside 1', 'outside 2', 'written'])
    expect(await textsOf(database)).toEqual(['written'])
  })

  test('each time, the answer says so and nothing is kept', async () => {
    const always = conflicting(database, (count) => count % 2 === 0)
    const ended = await run({ ...parts(writing(2)), database: always as unknown as RunParts['database'] })
    expect(ended).toMatchObject({ error: { type: 'conflict' }, committed: 'none', runs: 10 })
    expect(await textsOf(database)).toEqual([])
  })
})

test('a sandbox that fails against its promise does not keep the writer', async () => {
  const broken: Sandbox = {
    async run({ call }) {
      await call!({
        method: 'POST',
        path: '/notes',
        params: { text: 'a' },
        line: 1,
        listing: false,
        over: null,
      })
      throw new Error('worker lost')
    },
    close: async () => {},
  }
  expect(await run(parts(broken))).toMatchObject({ error: { type: 'host_error' }, committed: 'none' })
  await database.transaction(async () => {})
  expect(await textsOf(database)).toEqual([])
})
