import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../src/contract/values/ids.ts'
import { CHANGE_KINDS, type Change } from '../../src/events/change.ts'
import { type NetChange, ProgramChanges } from '../../src/mcp/program/changes.ts'
import { differences, plannedChanges } from '../../src/mcp/program/plan-comparison.ts'

const ID = newId('tag')
const change = (type: string, shown: Record<string, unknown> | null, previous: Change['previous'] = null): Change => {
  const id = (shown?.id as string) ?? ID
  const label = (shown?.name as string | undefined) ?? null
  return {
    type,
    kind: CHANGE_KINDS.find((kind) => type === `tag.${kind}`) ?? null,
    object: type.split('.')[0]!,
    id,
    label,
    partOf: {},
    shown: shown && { object: 'tag', ...shown },
    previous,
  }
}
const netOf = (...changes: Change[]) => {
  const collected = new ProgramChanges()
  collected.add(changes)
  return collected
}

describe('the changes of a run', () => {
  test('tell of each resource once, from its first value to its last', () => {
    const changes = netOf(
      change('tag.updated', { id: ID, name: 'b', color: null }, { name: 'a' }),
      change('tag.updated', { id: ID, name: 'c', color: '#ffffff' }, { name: 'b', color: null }),
    )
    expect(changes.counts()).toEqual({ 'tag.updated': 1 })
    expect(changes.shown()).toEqual({
      'tag.updated': {
        count: 1,
        samples: [{ id: ID, name: { from: 'a', to: 'c' }, color: { from: null, to: '#ffffff' } }],
      },
    })
  })

  test('forget what ended as it began', () => {
    const there = change('tag.updated', { id: ID, name: 'b' }, { name: 'a' })
    const back = change('tag.updated', { id: ID, name: 'a' }, { name: 'b' })
    expect(netOf(there, back).all()).toEqual([])
    expect(netOf(change('tag.created', { id: ID, name: 'a' }), change('tag.deleted', null)).all()).toEqual([])
  })

  test('show a new resource as it became, without what is empty', () => {
    const changes = netOf(
      change('tag.created', { id: ID, name: 'a', color: null, metadata: {}, created_at: 'now' }),
      change('tag.updated', { id: ID, name: 'b', color: null, metadata: {} }, { name: 'a' }),
    )
    expect(changes.shown()).toEqual({ 'tag.created': { count: 1, samples: [{ id: ID, name: 'b' }] } })
  })

  test('keep events that tell something else beside the resource', () => {
    const lead: Change = { ...change('lead.created', { id: ID, name: 'Ada' }), object: 'customer' }
    const ada = change('customer.created', { id: ID, name: 'Ada' })
    const created: Change = { ...ada, kind: 'created', object: 'customer' }
    const changes = netOf(created, lead)
    expect(changes.counts()).toEqual({ 'customer.created': 1 })
    expect(changes.all().map(({ type }) => type)).toEqual(['customer.created', 'lead.created'])
  })

  test('count an event that is all that was told of a resource', () => {
    const changes = netOf(change('form.archived', { id: ID, name: 'Survey' }))
    expect(changes.counts()).toEqual({ 'form.archived': 1 })
    expect(changes.shown()).toEqual({ 'form.archived': { count: 1, samples: [{ id: ID, name: 'Survey' }] } })
  })

  test('show five of many', () => {
    const many = Array.from({ length: 90 }, (_, at) => change('tag.created', { id: newId('tag'), name: `t${at}` }))
    const shown = netOf(...many).shown() as Record<string, { count: number; samples: unknown[] }>
    expect(shown['tag.created']).toMatchObject({ count: 90, samples: { length: 5 } })
  })
})

const START = Date.parse('2026-05-01T10:00:00Z')
/** All ids are older than the runs, unless they are of what was created. */
const NEVER = `run_${'z'.repeat(26)}`
const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
const compare = (planned: NetChange[], now: NetChange[], later = 0) =>
  differences(
    { changes: plannedChanges(planned, NEVER), startedAt: START, consequences: [] },
    { changes: plannedChanges(now, NEVER), startedAt: START + later, consequences: [] },
  )
const made = (values: Record<string, unknown>, id = newId('tag')): NetChange => ({
  type: 'tag.created',
  kind: 'created',
  object: 'tag',
  id,
  label: 'VIP',
  partOf: {},
  currency: null,
  from: null,
  to: { ...values, url: `https://shop.example/tags/${id}` },
})

describe('two runs of one program', () => {
  test('are the same whatever ids they made, in references and addresses too', () => {
    const run = () => {
      const tag = made({ name: 'VIP' })
      const reference: NetChange = {
        ...made({}),
        type: 'tag.updated',
        kind: 'updated',
        id: ID,
        from: { tags: [] },
        to: { tags: [tag.id] },
      }
      return [tag, reference]
    }
    expect(compare(run(), run())).toEqual([])
  })

  test('know which ids are new, even those of one millisecond', () => {
    const before = Array.from({ length: 50 }, () => newId('price'))
    const startId = newId('run')
    const after = newId('run')
    const [shown] = plannedChanges([made({ prices: before, run: after })], startId)
    expect(shown!.to).toMatchObject({ prices: before, run: '#run 1' })
  })

  test('are the same when times lie equally far from their beginnings, or are equal', () => {
    const later = 40 * 60_000
    const run = (start: number) => [
      made({ until: at(start + 86_400_000), fixed: '2027-01-01T00:00:00Z', made: at(start) }),
    ]
    expect(compare(run(START), run(START + later), later)).toEqual([])
    const moved = [made({ until: at(START + 86_400_000), fixed: '2027-01-02T00:00:00Z', made: at(START) })]
    expect(compare(run(START), moved, 0)).toMatchObject([
      { change: 'tag.created #tag 1', name: 'VIP', field: 'fixed', planned: '2027-01-01T00:00:00Z' },
    ])
  })

  test('differ in what one does not do, and in what was there before', () => {
    const update = (from: number): NetChange => ({
      type: 'tag.updated',
      kind: 'updated',
      object: 'tag',
      id: ID,
      label: 'VIP',
      partOf: {},
      currency: null,
      from: { amount: from },
      to: { amount: 1200 },
    })
    expect(compare([update(1000)], [update(1100)])).toEqual([
      {
        change: `tag.updated ${ID}`,
        name: 'VIP',
        field: 'amount',
        planned: { from: 1000, to: 1200 },
        now: { from: 1100, to: 1200 },
      },
    ])
    expect(compare([update(1000)], [])).toMatchObject([{ planned: { from: { amount: 1000 } }, now: null }])
    expect(compare([], [update(1000)])).toMatchObject([{ planned: null, now: { to: { amount: 1200 } } }])
  })

  test('are compared value by value, whatever JSON they hold', () => {
    const value = fc.jsonValue({ depthSize: 'small' })
    fc.assert(
      fc.property(value, value, (left, right) => {
        const equal = JSON.stringify([left]) === JSON.stringify([right])
        const id = newId('tag')
        const found = compare([made({ left }, id)], [made({ left }, id)])
        expect(found).toEqual([])
        if (equal) expect(compare([made({ left }, id)], [made({ left: right }, id)])).toEqual([])
        else if (typeof left !== 'object' && typeof right !== 'object' && left !== right)
          expect(compare([made({ left }, id)], [made({ left: right }, id)])).toHaveLength(1)
      }),
    )
  })
})
