import { describe, expect, it } from 'vitest'
import { eventType } from '../../../src/contract/declarations/noun.ts'
import { bytes, nouns, operations, pageOf, textOf } from './catalogue.ts'

describe('What programs can do', () => {
  it('is said in less than 2.7 KB, and its paragraphs once under each of their names', () => {
    const text = textOf('programs')
    expect(bytes(text)).toBeLessThan(2700)
    const some = textOf('time', 'each_batch', 'Dry run', 'local time')
    expect(bytes(some)).toBeLessThan(bytes(text))
    for (const line of some.split('\n')) expect([line, text.split(line).length]).toEqual([line, 2])
    for (const word of [
      'local(',
      'day(',
      'month(',
      'in_zone(',
      'each_batch(',
      'rehearse(',
      'table(',
      'find_anything(',
      '# withdraw:',
      '# once:',
      '# status:',
    ])
      expect(text).toContain(word)
  })
})

describe('The names of events', () => {
  it('are listed under what people call them, all that endpoints and tasks can have', () => {
    const text = textOf('events')
    expect(textOf('Event types', 'event names').includes(text)).toBe(true)
    const names = nouns.flatMap((noun) => (noun.eventsStayInside ? [] : noun.events.map((one) => eventType(noun, one))))
    expect(
      text
        .split('\n')
        .slice(1)
        .flatMap((line) => line.split(', ')),
    ).toEqual(names)
    expect(bytes(text)).toBeLessThan(2200)
  })
})

describe('The map', () => {
  const map = textOf()
  const lines = map.split('\n')

  it('takes less than 3 KB', () => {
    expect(bytes(map)).toBeLessThan(3000)
  })

  it('has a line for each resource, from which each of its operations follows', () => {
    const verbs: Record<string, string> = { list: 'L', create: 'C', retrieve: 'G', update: 'U', delete: 'D' }
    for (const { noun, kind, method, path } of operations) {
      const line = lines.find((one) => one.startsWith(`${noun.name} `))!
      const letters = /^\w+ ([LCGUD]+)(?: |$)/.exec(line)?.[1] ?? ''
      const letter = path === `/${noun.plural}` && method === 'POST' ? 'C' : verbs[kind]
      const isUsual = new RegExp(`^/${noun.plural}(?:/\\{\\w+\\})?$`).test(path)
      const action = /\}\/(\w+)$/.exec(path)?.[1]
      const said = isUsual
        ? letters.includes(letter!)
        : line.includes(` +${action}`) || (line.includes(` ${path}`) && line.includes(method))
      expect([method, path, line, said]).toEqual([method, path, line, true])
    }
    for (const { name } of nouns) expect(lines.filter((one) => one.split(' ')[0] === name)).toHaveLength(1)
  })

  it('says once what holds for all', () => {
    for (const fact of [
      'minor units',
      'UTC',
      'limit',
      'starting_after',
      'expand',
      'metadata',
      'describe("programs")',
      'Event data',
    ])
      expect(map.split(fact).length, fact).toBeGreaterThan(1)
  })
})

describe('Names', () => {
  it.each([
    ['order', 'orders'],
    ['order', 'Order'],
    ['order_item', 'order items'],
    ['price_variant', 'price-variants'],
  ])('%s is found by %s', (name, written) => {
    expect(textOf(written)).toBe(textOf(name))
  })

  it.each(['POST /v1/refunds', 'post /refunds', 'create_refund', 'POST https://shop.example/v1/refunds'])(
    '%s is POST /refunds',
    (written) => {
      expect(textOf(written)).toBe(textOf('POST /refunds'))
    },
  )

  it('a path with an id is the one with braces, and a path alone has all its methods', () => {
    expect(textOf('GET /orders/ord_01k9z6v8q2f3x7c5m1n4b0r8ta')).toBe(textOf('GET /orders/{id}'))
    expect(textOf('/refunds').match(/^## .*?:/gm)).toEqual(['## GET /refunds:', '## POST /refunds:'])
  })

  it('an event says when it is sent, what its data is and who emits it', () => {
    const text = textOf('order.refunded')
    expect(text).toContain(
      'data: what GET answers for the order; customer, line_items expanded for webhooks, not for tasks',
    )
    expect(text).toContain('POST /refunds')
  })
})

describe('Several answers', () => {
  it('say nothing twice', () => {
    const text = textOf('refund', 'POST /refunds', 'refunds', 'order')
    const lines = text.split('\n').filter((line) => line.length > 40)
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([])
    expect(text.match(/^Key:/gm)).toHaveLength(1)
    expect(text.match(/Only orders that are succeeded/g)).toHaveLength(1)
  })
})

describe('A page about words', () => {
  it('has the operation, its resource, what it needs and how to find that', () => {
    const text = pageOf('refund an order in full', 'create_refund', 'list_refunds')
    expect(text).toContain('## POST /refunds {order*, amount')
    expect(text).toContain('## refund (')
    expect(text).toMatch(/^Find order: GET \/orders \?.*query.*customer\[\]/m)
    expect(text).toContain('## order (')
  })

  it('takes at most 4 KB, whatever it is about', () => {
    for (const { id } of operations) {
      const others = operations.slice(0, 3).map((one) => one.id)
      expect([id, bytes(pageOf('words', id, ...others)) <= 4096]).toEqual([id, true])
    }
  })

  it('says plainly that nothing fits', () => {
    const text = pageOf('exchange rate')
    expect(text).toBe(
      'Nothing fits "exchange rate". describe() is about the API; rows of the shop come from list("/products").',
    )
    expect(bytes(textOf('ordr'))).toBeLessThan(250)
  })
})

describe('Several resources at once', () => {
  const names = ['product', 'price_variant', 'discount']

  it('have all of their fields, and their operations by what these take, where they would be a book', () => {
    const text = textOf(...names, 'POST /discounts')
    const whole = names.map((name) => textOf(name))
    expect(bytes(text)).toBeLessThan(0.85 * whole.reduce((sum, one) => sum + bytes(one), 0))
    const fieldLines = whole.flatMap((one) => one.split('\n').filter((line) => /^[a-z_]+[^:]*: /.test(line)))
    expect(fieldLines.length).toBeGreaterThan(40)
    for (const line of fieldLines) expect(text).toContain(line)
    expect(text).toMatch(/^PATCH \/price_variants\/\{id\} \{…\}$/m)
    expect(text).toMatch(/^## POST \/discounts \{code\*, .*\}: Create a discount code\. /m)
    expect(text).toContain('What an operation does, refuses and emits: describe("POST /refunds").')
  })

  it('are whole where they are short', () => {
    expect(textOf('tag', 'review')).toContain('Create a tag, or return the one')
  })
})
