import { describe, expect, it } from 'vitest'
import { check } from './checker/check.ts'
import type { Outcome, Step, Transaction } from './checker/history.ts'

/** `x1` appends 1 to x; `x[1 2]` reads both; `x?` is a read whose answer never came. */
function step(text: string): Step {
  const [, key = '', value, list] = /^([a-z])(?:(\d+)|\[(.*)\]|\?)$/.exec(text) ?? []
  if (value !== undefined) return { key, append: Number(value) }
  return { key, read: list === undefined ? null : list.split(' ').filter(Boolean).map(Number) }
}

interface More {
  outcome?: Outcome
  at?: [beganMs: number, endedMs: number]
}
type Given = [steps: string, more?: More]

/** Transactions that all overlap unless they say when they ran. */
function historyOf(...given: Given[]): Transaction[] {
  return given.map(([steps, more = {}], id): Transaction => {
    const [beganMs, endedMs] = more.at ?? [0, 1_000]
    return { id, outcome: more.outcome ?? 'committed', steps: steps.split(', ').map(step), beganMs, endedMs }
  })
}

const kindsOf = (...given: Given[]) =>
  check(historyOf(...given)).map(({ kind, realTime }) => (realTime ? `${kind} in time` : kind))

describe('The check of histories', () => {
  it.each<[string, Given[]]>([
    ['one after the other', [['x1'], ['x[1], x2'], ['x[1 2]']]],
    ['a transaction that reads what it appended', [['x[], x1, x[1]'], ['x[1]']]],
    ['an unknown outcome that took effect', [['x1', { outcome: 'unknown' }], ['x[1]']]],
    ['an unknown outcome that did not', [['x?, x1', { outcome: 'unknown' }], ['x[]']]],
    ['what was undone and is gone', [['x1', { outcome: 'undone' }], ['x[]']]],
    ['a reader that is put before a writer that it overlapped', [['x1'], ['x[], y2'], ['x[1], y[2]']]],
  ])('finds nothing wrong with %s', (_, given) => {
    expect(kindsOf(...given)).toEqual([])
  })

  it.each<[string, string[], Given[]]>([
    ['a write skew', ['G2'], [['x[], y1'], ['y[], x2'], ['x[2], y[1]']]],
    ['a lost update', ['G-single'], [['x[], x1'], ['x[], x2'], ['x[1 2]']]],
    ['an update that is gone', ['lost'], [['x1', { at: [0, 1] }], ['x[2]', { at: [2, 3] }], ['x2']]],
    ['a dirty read', ['G1a'], [['x1', { outcome: 'undone' }], ['x[1]']]],
    ['an intermediate read', ['G1b', 'G-single'], [['x1, x2'], ['x[1]'], ['x[1 2]']]],
    ['a long fork', ['G2'], [['x1'], ['y2'], ['x[1], y[]'], ['x[], y[2]']]],
    ['a read skew', ['G-single'], [['x1, y2'], ['x[1], y[]'], ['y[2]']]],
    ['writes in two orders', ['G0'], [['x1, y2'], ['y3, x4'], ['x[1 4], y[3 2]']]],
    ['a circle of what was read', ['G1c'], [['x1, y[2]'], ['y2, x[1]']]],
    [
      'lists that do not continue each other',
      ['incompatible order', 'G-single'],
      [['x1'], ['x2'], ['x[1 2]'], ['x[2]']],
    ],
    ['a value that is there twice', ['duplicate', 'incompatible order'], [['x1'], ['x[1 1]'], ['x[2]'], ['x2']]],
    ['a value that nobody appended', ['garbage'], [['x[7]']]],
    ['a transaction that does not see its own append', ['internal'], [['x[], x1, x[]']]],
    ['a transaction that reads a key in two ways', ['internal', 'G-single'], [['x1'], ['x[], x[1]']]],
  ])('finds %s', (_, kinds, given) => {
    expect(new Set(kindsOf(...given))).toEqual(new Set(kinds))
  })

  it.each<[string, string[], Given[]]>([
    [
      'a reader that does not see what was answered before it began',
      ['G-single in time'],
      [
        ['x1', { at: [0, 1] }],
        ['x[]', { at: [2, 3] }],
        ['x[1]', { at: [4, 5] }],
      ],
    ],
    [
      'a writer that is put before one that had ended',
      ['G0 in time'],
      [
        ['x2', { at: [0, 1] }],
        ['x1', { at: [2, 3] }],
        ['x[1 2]', { at: [4, 5] }],
      ],
    ],
  ])('finds, as a fault of strict serializability alone, %s', (_, kinds, given) => {
    expect(kindsOf(...given)).toEqual(kinds)
  })

  it('names the transactions of a cycle', () => {
    const [anomaly] = check(historyOf(['x[], y1'], ['y[], x2'], ['x[2], y[1]']))
    expect(anomaly?.detail).toMatch(/^(0 rw → 1 rw → 0|1 rw → 0 rw → 1)$/)
  })

  it('takes a history of many transactions in a short time', () => {
    const order = Array.from({ length: 200 }, (_, value) => value)
    const many = Array.from({ length: 20_000 }, (_, id): Transaction => {
      const [key, at] = [`k${Math.floor(id / 200)}`, id % 200]
      const steps: Step[] = [
        { key, read: order.slice(0, at).map((value) => id - at + value) },
        { key, append: id },
      ]
      return { id, outcome: 'committed', steps, beganMs: id, endedMs: id + 0.5 }
    })
    expect(check(many).filter(({ kind }) => kind !== 'lost')).toEqual([])
  })
})
