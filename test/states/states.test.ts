import { beforeAll, describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import type { Noun } from '../../src/contract/declarations/noun.ts'
import { offeredIn } from '../../src/pages/dashboard/derived/detail.ts'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import type { View } from '../../src/pages/dashboard/kit/visit.ts'
import { VIEWS } from '../../src/pages/dashboard/pages.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'
import { ACTIONS, type Action } from './actions.ts'
import { catalogWays } from './catalog-ways.ts'
import { companyWays } from './company-ways.ts'
import { sellingWays } from './selling-ways.ts'
import { socialWays } from './social-ways.ts'
import { type StateTable, TABLES } from './table.ts'
import type { Ways } from './ways.ts'

const { shop: resources } = PRODUCT

const WAYS: Ways = { ...catalogWays, ...sellingWays, ...companyWays, ...socialWays }
/** Nouns whose state is in another field than `status`. */
const STATE_FIELDS: Record<string, string> = { file: 'upload_status', ai_site: 'build_status' }

/** Nouns whose `allowed_actions` leave out what is allowed and would change nothing: hiding what is hidden. */
const WITHOUT_REPETITIONS = ['social_comment']

const operations = resources.flatMap((resource) => resource.operations)
const nouns = [...new Map(operations.map(({ noun }) => [noun.name, noun])).values()]
const nounNamed = (name: string) => nouns.find((noun) => noun.name === name)!
const operationNamed = (id: string) => operations.find((operation) => operation.id === id)

const stateOf = (noun: string, row: Body) => row[STATE_FIELDS[noun] ?? 'status']
/** A state without its variant. */
const plain = (state: string) => state.split(',')[0]!

/** The operations that change a row which their path names. */
const writesOn = (noun: Noun) =>
  operations.filter(
    ({ writes, path, noun: answered }) =>
      writes && path.includes('{') && (answered === noun || path.startsWith(`/${noun.plural}/{`)),
  )
const hasStates = (noun: Noun) =>
  noun.states !== null || (noun.prefix !== null && Object.keys(noun.fields).some((name) => /(^|_)status$/.test(name)))

/** The name that a state table has for an action: of the status that it asks for, or of the operation. */
function nameOf(noun: Noun, { operation: id, body }: Action): string {
  const names = Object.values(noun.states ?? {}).flat()
  if (names.includes(String(body?.status))) return String(body!.status)
  const { kind, path } = operationNamed(id)!
  return kind === 'action' ? path.split('/').at(-1)! : kind
}

/** The names of the actions that some variants of a state allow, of those that the noun's own table names at all. */
function allowedIn(noun: Noun, rows: StateTable[string][]): string[] {
  const names = new Set(Object.values(noun.states ?? {}).flat())
  const done = rows.flatMap((row) => Object.keys(row).filter((action) => row[action] !== 'refused'))
  const allowed = done.map((action) => nameOf(noun, ACTIONS[noun.name]![action]!))
  return [...new Set(allowed)].filter((name) => names.has(name)).sort()
}

/** Whoever looks at a row sees what its state allows. */
function expectShown(
  name: string,
  shown: string[],
  { row, state, noun }: { row: StateTable[string]; state: string; noun: Noun },
) {
  const allowed = allowedIn(noun, [row])
  if (!WITHOUT_REPETITIONS.includes(name)) return expect([...shown].sort()).toEqual(allowed)
  const changing = Object.keys(row).filter((action) => !['refused', 'same', plain(state)].includes(row[action]!))
  expect(allowed).toEqual(expect.arrayContaining(shown))
  expect(shown).toEqual(expect.arrayContaining(changing.filter((action) => allowed.includes(action))))
}

describe('The states that are written here', () => {
  it('are those of every resource that has states and something that acts on them', () => {
    const acted = nouns.filter((noun) => hasStates(noun) && writesOn(noun).length > 0)
    expect(acted.map(({ name }) => name).filter((name) => !(name in TABLES))).toEqual([])
  })

  for (const [name, table] of Object.entries(TABLES)) {
    const noun = nounNamed(name)

    it(`are all that a ${name} can be in, each with every action`, () => {
      const values = noun.fields[STATE_FIELDS[name] ?? 'status']!.spec.json!.enum as string[]
      expect([...new Set(Object.keys(table).map(plain))].sort()).toEqual([...values].sort())
      const actions = Object.keys(ACTIONS[name]!).sort()
      for (const row of Object.values(table)) expect(Object.keys(row).sort()).toEqual(actions)
      expect(Object.keys(WAYS[name]!).sort()).toEqual(Object.keys(table).sort())
    })

    it(`have every operation on a ${name}`, () => {
      const used = Object.values(ACTIONS[name]!).map(({ operation }) => operation)
      expect(
        writesOn(noun)
          .map(({ id }) => id)
          .filter((id) => !used.includes(id)),
      ).toEqual([])
      expect(used.filter((id) => !operationNamed(id))).toEqual([])
    })

    it(`allow a ${name} what its declaration allows`, () => {
      const rows = Map.groupBy(Object.keys(table), plain)
      const written = [...rows].map(([state, variants]) => [
        state,
        allowedIn(
          noun,
          variants.map((one) => table[one]!),
        ),
      ])
      const declared = Object.entries(noun.states ?? {}).map(([state, actions]) => [state, [...actions].sort()])
      if (noun.states) expect(Object.fromEntries(written)).toEqual(Object.fromEntries(declared))
    })
  }
})

/** Actions that leave the row as it is: they make another one, or something that comes later. */
const WORKS_ELSEWHERE = ['duplicate', 'reconnect', 'sync']

/** Whether the dashboard's page of a row has a button for an action. */
function isOffered(catalogue: Catalogue<View>, noun: Noun, { action, row }: { action: Action; row: Body }): boolean {
  const { kind } = operationNamed(action.operation)!
  const things = catalogue.of(noun.name)
  return kind === 'action' && offeredIn(things!, row, catalogue.viewOf(noun.name)).includes(nameOf(noun, action))
}

/** A button does something: some of what its operation takes is accepted, and nothing is offered that is done already. */
function expectUseful(noun: Noun, { action, row }: { action: string; row: StateTable[string] }, changed: boolean) {
  const { operation } = ACTIONS[noun.name]![action]!
  const outcomes = Object.keys(row).filter((other) => ACTIONS[noun.name]![other]!.operation === operation)
  const accepted = outcomes.filter((other) => row[other] !== 'refused')
  expect([noun.name, action, accepted.length > 0]).toEqual([noun.name, action, true])
  if (row[action] === 'same' && !WORKS_ELSEWHERE.includes(action))
    expect([noun.name, action, changed]).toEqual([noun.name, action, true])
}

const dashboards = await Promise.all(PRODUCT.features.map(({ dashboard }) => dashboard?.()))
const views = [...VIEWS, ...dashboards.flatMap((one) => one?.views ?? [])]

describe('Every action in every state', () => {
  onEachEngine((service) => {
    let shop: Shop
    const catalogue = new Catalogue<View>(
      { dashboardOperations: resources.flatMap(({ operations: all }) => all) },
      Object.fromEntries(views.map(({ noun, view }) => [noun, view])),
    )
    beforeAll(async () => {
      shop = service.as(await service.running.another('states'))
    })

    const read = (noun: Noun, id: string) => {
      const { path } = operations.find((one) => one.kind === 'retrieve' && one.noun === noun)!
      return shop.api('GET', path.replace(/\{\w+\}/, id))
    }
    const act = ({ operation, body, names }: Action, id: string) => {
      const { method, path } = operationNamed(operation)!
      return shop.api(method, path.replace(/\{\w+\}/, id), names ? { ...body, [names]: id } : body)
    }

    for (const [name, table] of Object.entries(TABLES)) {
      const noun = nounNamed(name)
      for (const [state, row] of Object.entries(table))
        for (const [action, outcome] of Object.entries(row))
          it(`${name}, ${state}: ${action} → ${outcome}`, async () => {
            const id = await WAYS[name]![state]!(shop)
            const { body: before } = await read(noun, id)
            expect(stateOf(name, before)).toBe(plain(state))
            if (noun.states) expectShown(name, before.allowed_actions, { row, state, noun })

            const { status, body } = await act(ACTIONS[name]![action]!, id)
            const after = await read(noun, id)
            if (isOffered(catalogue, noun, { action: ACTIONS[name]![action]!, row: before }))
              expectUseful(noun, { action, row }, JSON.stringify(after.body) !== JSON.stringify(before))
            if (outcome === 'refused') {
              expect([status, body.error?.code]).toEqual([400, 'invalid_state'])
              expect(after.body).toEqual(before)
            } else if (outcome === 'deleted') {
              expect([status, body.deleted, after.status]).toEqual([200, true, 404])
            } else {
              expect(status).toBeLessThan(300)
              // What runs later may have moved it on since.
              const shown = body.id === id ? body : after.body
              expect(stateOf(name, shown)).toBe(outcome === 'same' ? plain(state) : outcome)
            }
          })
    }
  })
})
