import { describe, expect, it } from 'vitest'
import { eventType } from '../../../src/contract/declarations/noun.ts'
import { bytes, nouns, operations, pageOf, textAfter, textOf } from './catalogue.ts'

/** Fields of all resources, which the map names once. */
const COMMON = ['id', 'object', 'created_at', 'updated_at', 'allowed_actions']
const TOPICS = ['time', 'reports', 'plans', 'background', 'tasks', 'e-mails', 'tax', 'search', 'counting']

describe('What programs can do', () => {
  it('is said in less than 700 bytes, with a line for each topic, which is in the map too', () => {
    const text = textOf('programs')
    expect(bytes(text)).toBeLessThan(700)
    const lines = TOPICS.map((topic) => text.split('\n').filter((line) => line.startsWith(`${topic}: `)))
    for (const line of lines) expect([line.length, textOf().split('\n').includes(line[0]!)]).toEqual([1, true])
  })

  it('is said by topics of at most 900 bytes, once under each of their names', () => {
    for (const topic of TOPICS) expect([topic, bytes(textOf(topic)) <= 900]).toEqual([topic, true])
    const text = textOf('programs', ...TOPICS)
    const some = textOf('time', 'each_batch', 'Dry run', 'local time')
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
      'report(',
      '# withdraw:',
      '# once:',
      '# status:',
    ])
      expect(text).toContain(word)
  })

  it.each([
    ['tags', ['customer', 'POST /customers/{id}/tags', 'GET /customers', 'search'], 'ignor(?:e|ing) case'],
    ['the shape of a report', ['reports'], 'total \\{gross, .*before .*points .*rows .*recurring .*simulated_orders'],
    ['the month that a refund lowers', ['reports'], 'a refund lowers the month of its payment'],
    ['what a batch ends with', ['background'], 'hash of counts.*summed'],
    ['how many background programs may run', ['background'], 'five at once, a person three'],
    ['the end of a day', ['invoice', 'POST /invoices'], '^due_at.*T23:59:59\\+01:00'],
    ['the options of a question', ['form', 'POST /forms'], '`options`, a list of texts'],
    ['the fate of an e-mail', ['email', 'POST /emails', 'e-mails'], 'read back.*email\\.sent or email\\.failed'],
    ['codes for one person', ['discount'], 'None is tied to a person'],
    ['what follows a commit', ['plans'], 'without it, nothing follows'],
  ])('says %s where it is read first', (_, names, words) => {
    for (const name of names) expect(textOf(name)).toMatch(new RegExp(words, 'm'))
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
  it('of one program say nothing twice, and name what was said', () => {
    const said = new Set<string>()
    const texts = [['order', 'time'], ['POST /refunds', 'order'], ['order'], ['programs'], [], ['subscription']].map(
      (names) => textAfter(said, ...names),
    )
    const lines = texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.length > 40 && !line.startsWith('Described before'))
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([])
    expect(texts[1]).toMatch(/^## POST \/refunds[\s\S]*\nDescribed before in this program: order in short$/m)
    expect(texts[2]).toBe('Described before in this program: order in short')
    expect(texts[4]).toMatch(/\nDescribed before in this program: the topics$/)
  })

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
    const text = pageOf('what somebody says of it', 'create_review', 'list_reviews')
    expect(text).toMatch(/^## POST \/reviews: [\s\S]*^product\* ->/m)
    expect(text).toMatch(/^Find product: GET \/products \?.*query/m)
    for (const name of ['review', 'product']) expect(text).toMatch(new RegExp(`^## ${name} \\(.* Fields: `, 'm'))
    expect(text).toContain('Or GET /reviews: List reviews.')
  })

  it('has the recipe first, and its writes in a paragraph each', () => {
    const text = pageOf('refund an order in full', 'create_refund', 'list_refunds')
    expect(text).toMatch(
      /^Recipe: Refund part of an order\n[\s\S]*^## POST \/refunds \{order\* ->\+, amount money, .*\}: Refund an order/m,
    )
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

  it('are outlined by their fields with types, and their operations by what these take', () => {
    const text = textOf(...names, 'POST /discounts')
    const whole = names.map((name) => textOf(name))
    expect(bytes(text)).toBeLessThan(0.6 * whole.reduce((sum, one) => sum + bytes(one), 0))
    for (const name of names) {
      const outline = new RegExp(`^## ${name} \\(.* Fields: (.*)`, 'm').exec(text)![1]!
      const fields = Object.entries(nouns.find((one) => one.name === name)!.fields).filter(
        ([, { spec }]) => spec.use !== 'input',
      )
      const missed = fields.filter(
        ([field]) => !COMMON.includes(field) && !new RegExp(`(?:^|, )${field}\\b`).test(outline),
      )
      expect(missed).toEqual([])
    }
    expect(text).toContain('status draft|active|archived')
    expect(text).toMatch(/^PATCH \/price_variants\/\{id\} \{…\}$/m)
    expect(text).toMatch(
      /^## POST \/discounts \{code\*, .*percent_off number percent, .*\}: Create a discount code\. /m,
    )
    expect(text).not.toMatch(/^POST \/discounts/m)
    expect(text.match(/^One field: describe\("order\.amount"\)\.$/gm)).toHaveLength(1)
    expect(textOf('order.amout')).toBe(
      'No field or event is "order.amout" (did you mean "order.amount"?). All: describe("order").',
    )
    expect(textOf('order.amount', 'task.active')).toMatch(/^order\.amount money: .*\ntask\.active bool=true: /m)
  })

  it('are described after an outline, and not outlined after a description', () => {
    const said = new Set<string>()
    const [first, second, third] = [['tag', 'review'], ['POST /tags'], ['customer']].map((what) =>
      textAfter(said, ...what),
    )
    expect(first).not.toContain('Create a tag, or return the one')
    expect(second).toContain('Create a tag, or return the one')
    expect(third).toContain('## customer (')
  })
})
